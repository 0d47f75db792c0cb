import { alternativeIds, nav, pageNameOf } from './routes/nav'

const namesOf = (...lists: ReadonlyArray<keyof typeof nav>): string[] =>
  lists.flatMap((list) => nav[list].map(({ key }) => pageNameOf(key)))

/** Names of the pages in the tracking keys `header-{page}` and `footer-{page}`. */
export const menuPages: Readonly<Record<'header' | 'footer', readonly string[]>> = {
  header: [...namesOf('bar', 'features'), 'solutions', ...namesOf('solutions', 'general')],
  footer: [
    ...namesOf('features', 'resources', 'company'),
    ...alternativeIds,
    ...['privacy', 'terms', 'contact'],
  ],
}
