import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { localeCodes, type LocaleCode } from '../../shared/i18n/locales'

const schema = z.strictObject({
  /** Words that are not translated; `also` lists other accepted forms by language. */
  terms: z.array(
    z.strictObject({
      term: z.string().min(1),
      also: z.partialRecord(z.enum(localeCodes), z.array(z.string().min(1))).default({}),
    }),
  ),
  /** Names that are not translated but are also common words, so that texts cannot be checked. */
  names: z.array(z.string().min(1)).default([]),
  /** Keys (`namespace:key`) whose translation may equal the English text. */
  same: z.partialRecord(z.enum([...localeCodes, 'all']), z.array(z.string())).default({}),
})
export type Glossary = {
  terms: ReadonlyArray<{ term: string; also: Partial<Record<LocaleCode, string[]>> }>
  same: Partial<Record<LocaleCode | 'all', string[]>>
}

/** Reads `locales/glossary.yaml`. Throws with the name of the field if it is malformed. */
export const readGlossary = (file: string): Glossary =>
  schema.parse(parse(readFileSync(file, 'utf8')))

/** The glossary with only the `same` keys of one namespace, without their prefix. */
export const glossaryForNamespace = (glossary: Glossary, namespace: string): Glossary => ({
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
