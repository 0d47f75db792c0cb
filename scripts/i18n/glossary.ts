import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { localeCodes, type LocaleCode } from '../../shared/i18n/locales'

const schema = z.strictObject({
  /** Words that stay as they are; `also` lists forms that a language may use instead. */
  terms: z.array(
    z.strictObject({
      term: z.string().min(1),
      also: z.partialRecord(z.enum(localeCodes), z.array(z.string().min(1))).default({}),
    }),
  ),
  /** Names that stay as they are but are common words as well, so that no text can be checked for them. */
  names: z.array(z.string().min(1)).default([]),
  /** Keys (`namespace:key`) whose text may equal the English one in a language. */
  same: z.partialRecord(z.enum([...localeCodes, 'all']), z.array(z.string())).default({}),
})
export type Glossary = {
  terms: ReadonlyArray<{ term: string; also: Partial<Record<LocaleCode, string[]>> }>
  same: Partial<Record<LocaleCode | 'all', string[]>>
}

/** `locales/glossary.yaml`. Throws with the field when it is not of its form. */
export const readGlossary = (file: string): Glossary =>
  schema.parse(parse(readFileSync(file, 'utf8')))

/** The part of `same` that speaks of one namespace, without its prefix. */
export const glossaryOf = (glossary: Glossary, namespace: string): Glossary => ({
  terms: glossary.terms,
  same: Object.fromEntries(
    Object.entries(glossary.same).map(([code, keys]) => [
      code,
      (keys ?? [])
        .filter((key) => key.startsWith(`${namespace}:`))
        .map((key) => key.slice(namespace.length + 1)),
    ]),
  ),
})
