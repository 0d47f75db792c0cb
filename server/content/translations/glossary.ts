import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { localeCodes, type LocaleCode } from '../../../shared/i18n/locales'
import { OperatorError } from '../../errors'

const forms = z.array(z.string().min(1)).min(1)

const schema = z.strictObject({
  /** One concept each, with its forms in every language, the one to write first. */
  concepts: z
    .array(
      z
        .strictObject({
          id: z.string().regex(/^[a-z]+(?:-[a-z]+)*$/),
          /** A button of the client. */
          button: z.boolean().default(false),
          /** `namespace:key` of the interface that shows the term. */
          key: z.string().optional(),
          /** Forms that must not occur. */
          avoid: z.partialRecord(z.enum(localeCodes), forms).default({}),
        })
        .extend(
          // `Object.fromEntries` does not keep the type of the keys.
          Object.fromEntries(localeCodes.map((code) => [code, forms])) as Record<
            LocaleCode,
            typeof forms
          >,
        ),
    )
    .default([]),
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
export type Concept = z.infer<typeof schema>['concepts'][number]
export type Glossary = {
  concepts?: readonly Concept[]
  terms: ReadonlyArray<{ term: string; also: Partial<Record<LocaleCode, string[]>> }>
  same: Partial<Record<LocaleCode | 'all', string[]>>
}

/** The file with the terms of the site. */
export const glossaryFile = (root: string): string => join(root, 'content', 'glossary.yaml')

/** The glossary of a content folder; empty where it has none. */
export function glossaryOf({ content }: { content: string }): Glossary {
  const file = join(content, 'glossary.yaml')
  return existsSync(file) ? readGlossary(file) : { terms: [], same: {} }
}

/**
 * Reads `content/glossary.yaml`. Throws an `OperatorError` that names the file and what is wrong if
 * it is malformed.
 */
export function readGlossary(file: string): Glossary {
  const source = readFileSync(file, 'utf8')
  try {
    return schema.parse(parse(source))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new OperatorError(`${file}: ${reason}`)
  }
}

/** The glossary with only the `same` keys of one namespace, without their prefix. */
export const glossaryForNamespace = (glossary: Glossary, namespace: string): Glossary => ({
  terms: glossary.terms,
  same: Object.fromEntries(
    Object.entries(glossary.same).map(([code, keys]) => [
      code,
      keys
        .filter((key) => key.startsWith(`${namespace}:`))
        .map((key) => key.slice(namespace.length + 1)),
    ]),
  ),
})
