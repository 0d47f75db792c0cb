import { z } from 'zod'
import { isLocaleCode, type LocaleCode } from '../i18n/locales'
import { consoleCall } from './console-call'

/** A language that is translated into. */
const target = z.custom<LocaleCode>(
  (code) => isLocaleCode(code) && code !== 'en',
  'a language code other than en',
)

const openText = z.object({
  /** Name of the file, as in an XLIFF document. */
  path: z.string(),
  title: z.string(),
  /** `broken`: the file, or another that it is compared with, is not valid JSON. */
  state: z.enum(['missing', 'outdated', 'broken']),
  /** Texts to translate or check, and the words of their sources. */
  texts: z.number(),
  words: z.number(),
  /** Of the page in this language, in the last 30 days. Interface texts are on every page. */
  views: z.number().nullable(),
})
export type OpenText = z.infer<typeof openText>

export const listTranslations = consoleCall({
  method: 'GET',
  path: '/translations',
  input: z.object({ locale: target }),
  output: z.object({
    /** Files with something to do: interface texts, then articles, most viewed first. */
    files: z.array(openText),
    done: z.number(),
    glossary: z.array(z.object({ term: z.string(), also: z.string() })),
  }),
})

export type TranslationList = z.infer<typeof listTranslations.output>
const translatedUnit = z.object({
  name: z.string(),
  source: z.string(),
  target: z.string().nullable(),
  /** The source that the translation was made from; null where it is not known. */
  before: z.string().nullable(),
})
export type TranslatedUnit = z.infer<typeof translatedUnit>

/** The texts of a file with something to do, beside their sources. */
export const readTranslation = consoleCall({
  method: 'GET',
  path: '/translations/file',
  input: z.object({ path: z.string().max(300) }),
  output: z.object({
    units: z.array(translatedUnit),
  }),
})

/** An XLIFF document; without `path` of everything that is open. */
export const exportTranslations = consoleCall({
  method: 'GET',
  path: '/translations/xliff',
  input: z.object({
    locale: target,
    path: z.string().max(300).optional(),
    scope: z.enum(['open', 'all'], 'open or all').default('open'),
  }),
  output: z.unknown(),
})

/** Bytes of an imported document; larger ones are imported in parts. */
const maxXliffBytes = 4 * 1024 * 1024

const remark = z.object({ unit: z.string(), reason: z.string() })
export const importTranslations = consoleCall({
  method: 'POST',
  path: '/translations/import',
  maxBodyBytes: maxXliffBytes,
  /** `write` false: only checks. */
  input: z.object({ xliff: z.string().min(1), write: z.boolean() }),
  output: z.object({
    locale: z.string(),
    files: z.array(
      z.object({
        path: z.string(),
        changed: z.number(),
        untranslated: z.number(),
        problems: z.array(remark),
        warnings: z.array(remark),
      }),
    ),
    /** Files that were written. */
    written: z.array(z.string()),
    /** The result as a tar archive, where files cannot be written. */
    archive: z.string().nullable(),
  }),
})
export type ImportAnswer = z.infer<typeof importTranslations.output>
