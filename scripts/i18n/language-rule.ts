/** A habit of one language that a tool can check. `find` returns what breaks it. */
export type LanguageRule = { name: string; find: (text: string) => string[] }
