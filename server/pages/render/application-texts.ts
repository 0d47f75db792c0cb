import type { User } from '../../db/sign-in-store'

type Texts = Readonly<Record<string, unknown>>

/** Text keys of each page of the embedded application: its title and its line. */
const pages = {
  '/app': { title: 'emptyTitle', line: 'empty' },
  '/app/login': { title: 'loginTitle', line: 'login' },
  '/app/register': { title: 'registerTitle', line: 'register' },
} as const
const refusedPage = { title: 'refusedTitle', line: 'refused' } as const

type ApplicationPath = keyof typeof pages
export const isApplicationPath = (path: string): path is ApplicationPath =>
  Object.hasOwn(pages, path)

/** A text with its `{{name}}` placeholders filled in; empty when it is missing. */
function fillText(texts: Texts, key: string, values: Readonly<Record<string, string>>): string {
  const text = texts[key]
  return typeof text === 'string'
    ? text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
    : ''
}

/**
 * The texts of a page of the embedded application. `user`: who has just signed in. `hasToken`: the
 * request had a sign-in token; without a user it was refused. `referralCode`: empty when there is
 * none.
 */
export function applicationTexts(
  texts: Texts,
  path: ApplicationPath,
  { user, hasToken, referralCode }: { user: User | null; hasToken: boolean; referralCode: string },
): { title: string; lines: string[]; back: string } {
  const text = (key: string, values: Readonly<Record<string, string>> = {}): string =>
    fillText(texts, key, values)
  const page = hasToken ? refusedPage : pages[path]
  const line = user
    ? text('signedIn', { name: user.name || user.email, email: user.email })
    : text(page.line)
  return {
    title: text(user ? 'signedInTitle' : page.title),
    lines: [line, ...(referralCode ? [text('referral', { code: referralCode })] : [])],
    back: text('back'),
  }
}
