/**
 * Keys of clicks and exposures (spec 7.7), by area. Reports and tag managers rely on them, so a key
 * is never renamed; one that is gone stays unused. Components carry their keys as `data-track` and
 * `data-expose`, whose values are checked against this list by the compiler
 * (`client/analytics/tracking-attributes.d.ts`). The owner's table is `docs/tracking-keys.md`
 * (`npm run settings`).
 */
/** `click`: reported when it is clicked; `expose`: when it is seen. */
type Reported = 'click' | 'expose' | 'both'
type Key<R extends Reported = Reported> = { what: string; reported: R }

const click = (what: string): Key<'click'> => ({ what, reported: 'click' })
const expose = (what: string): Key<'expose'> => ({ what, reported: 'expose' })
const both = (what: string): Key<'both'> => ({ what, reported: 'both' })

/** `readers`: who works with the numbers. */
type Area = { readers: string; keys: Readonly<Record<string, Key>> }

export const trackingAreas = {
  header: {
    readers: 'product and marketing',
    keys: {
      'header-skip': click('link that skips to the content'),
      'header-home': click('logo'),
      'header-drawer': click('button that opens the menus on narrow screens'),
      'header-menu-features': click('title of the features menu'),
      'header-menu-solutions': click('title of the solutions menu'),
      'header-menu-resources': click('title of the resources menu'),
      'header-login': click('log in'),
      'header-register': click('sign up'),
      'header-search': click('button that opens the search'),
      'header-theme': click('switch between light and dark'),
      'header-languages': click('button that opens the list of languages'),
      'header-language': click('a language'),
    },
  },
  footer: {
    readers: 'product and marketing',
    keys: {
      'footer-language': click('a language'),
      'footer-consent': click('change the choice about measuring'),
      'footer-social': click('a profile on a social network'),
    },
  },
  hero: {
    readers: 'marketing: the first screen of a page',
    keys: {
      'hero-register': both('sign up'),
      'hero-download': both('go to the download page'),
      'hero-pricing': both('go to the prices'),
      'hero-mail': both('write to sales'),
    },
  },
  section: {
    readers: 'marketing: buttons and links of a section',
    keys: {
      'section-solutions': click('all solutions'),
      'section-faq': click('all questions'),
      'section-blog': click('all articles of the blog'),
      'section-helps': both('help center, below the questions'),
      'section-pricing': both('prices'),
      'section-download': both('download page'),
      'section-source': click('source of a rule on a landing page'),
      'section-table': expose('table of a landing page'),
      'section-partner': both('list of partners'),
      'section-partner-plan': both('partner program'),
      'section-partner-mail': both('apply as a partner by e-mail'),
    },
  },
  call: {
    readers: 'marketing: the last section of a page',
    keys: {
      'call-register': both('sign up'),
      'call-download': both('go to the download page'),
    },
  },
  banner: {
    readers: 'marketing: the sign-up banner on phones',
    keys: {
      'banner-register': both('sign up'),
      'banner-close': click('close the banner'),
    },
  },
  plan: {
    readers: 'product: pricing page',
    keys: {
      'plan-free': both('the plan Free and its button'),
      'plan-solo': both('the plan Solo and its button'),
      'plan-team': both('the plan Team and its button'),
      'plan-business': both('the plan Business and its button'),
      'plan-period': click('switch between month and year'),
      'plan-currency': click('switch of the currency'),
      'plan-table': expose('table that compares the plans'),
    },
  },
  download: {
    readers: 'product: files of a release; a click has the system in `addition.system`',
    keys: {
      'download-detected': both('button for the visitor’s own system'),
      'download-file': both('button in the list of files'),
      'download-retry': click('try again after a failure'),
      'download-checksum': click('copy a checksum'),
      'download-notes': click('notes of the newest release'),
      'download-releases': click('notes of all releases'),
    },
  },
  cards: {
    readers: 'content: a list of cards is seen, a card is clicked',
    keys: {
      'cards-features': both('features on the home page'),
      'cards-solutions': both('solutions'),
      'cards-industries': both('industries on the home page'),
      'cards-posts': both('newest articles on the home page'),
      'cards-articles': both('articles of a list'),
      'cards-sections': both('articles of a section of the guide or the help center'),
      'cards-partners': both('partners'),
      'cards-releases': both('releases'),
      'cards-documents': both('documentation on a landing page'),
      'cards-related': both('pages related to the current one'),
    },
  },
  tour: {
    readers: 'product: the four features in tabs on the home page',
    keys: {
      'tour-tab': click('a tab'),
      'tour-feature': click('the feature of a tab'),
    },
  },
  picture: {
    readers: 'product: drawings of the product',
    keys: {
      'picture-landing': expose('picture of a landing page'),
      'picture-profiles': expose('list of profiles'),
      'picture-profile': expose('settings of one profile'),
      'picture-sync': expose('synchronizer'),
      'picture-flow': expose('automation flow'),
      'picture-api': expose('call of the local API'),
    },
  },
  faq: {
    readers: 'content and support: `content` of a click is the question',
    keys: {
      'faq-list': expose('list of questions'),
      'faq-question': click('a question is opened or closed'),
    },
  },
  comparison: {
    readers: 'marketing: comparisons with other products',
    keys: {
      'comparison-table': expose('table of a comparison page'),
      'comparison-source': click('source of a statement in the table'),
      'comparison-product': click('link to a comparison on the home page'),
    },
  },
  article: {
    readers: 'content',
    keys: {
      'article-contents': click('heading in the table of contents'),
      'article-sections': click('button that opens the list of articles on phones'),
      'article-section': click('article in the list beside the text'),
      'article-tag': click('tag below the text'),
      'article-previous': click('previous article'),
      'article-next': click('next article'),
      'article-series': click('part of a series'),
      'article-mail': click('share by e-mail'),
      'article-share': click('copy the address'),
      'article-copy': click('copy code'),
      'article-table': click('enlarge a table'),
      'article-picture': click('enlarge a picture'),
      'article-markdown': click('copy the page as Markdown'),
      'article-original': click('original of an outdated translation'),
      'article-edit': click('edit the page'),
      'article-helpful': click('the page was helpful'),
      'article-not-helpful': click('the page was not helpful'),
    },
  },
  list: {
    readers: 'content: lists of articles and pages',
    keys: {
      'list-category': click('a category'),
      'list-tag': click('a tag'),
      'list-previous': click('previous page of the list'),
      'list-page': click('number of a page of the list'),
      'list-next': click('next page of the list'),
      'list-link': click('a page on the page of all links'),
    },
  },
  page: {
    readers: 'product: parts of every page',
    keys: {
      'page-breadcrumb': click('step of the breadcrumb'),
      'page-top': click('scroll to the top'),
      'page-offer': both('the page in the visitor’s own language'),
      'page-offer-close': click('close that offer'),
      'page-dialog-close': click('close a dialog'),
      'page-toast-close': click('close a notice'),
      'page-icon': click('copy the name of an icon'),
      'page-home': click('home page, from a page without a header'),
    },
  },
  contact: {
    readers: 'support and sales',
    keys: {
      'contact-chat': click('button that opens the chat or the message panel'),
      'contact-consult': click('consultation button of Chinese pages'),
      'contact-mail': click('an e-mail address'),
      'contact-copy': click('copy an e-mail address'),
      'contact-send': click('send the message'),
      'contact-retry': click('load the message form again, after a failure'),
      'contact-page': click('contact page'),
      'contact-close': click('close the message panel'),
    },
  },
  consent: {
    readers: 'the owner of privacy; a refusal is never reported',
    keys: {
      'consent-accept': click('allow measuring'),
      'consent-refuse': click('refuse measuring'),
      'consent-privacy': click('privacy policy'),
    },
  },
  search: {
    readers: 'content',
    keys: {
      'search-result': click('a result'),
      'search-recent': click('a recent search'),
      'search-forget': click('forget the recent searches'),
      'search-retry': click('search again after a failure'),
      'search-links': click('all pages, when nothing was found'),
      'search-close': click('close the search'),
      'search-shortcuts': click('switch for shortcuts of a single key'),
    },
  },
  error: {
    readers: 'product: error pages',
    keys: {
      'error-language': click('the page in a language in which it exists'),
      'error-nearest': click('a page with a similar address'),
      'error-page': click('a main page'),
      'error-search': click('button that opens the search'),
      'error-stop': click('stop the countdown'),
      'error-back': click('leave the error screen'),
    },
  },
  'one-tap': {
    readers: 'marketing',
    keys: { 'one-tap-sign-in': click('signed in with the one-tap prompt') },
  },
} as const satisfies Readonly<Record<string, Area>>

type Areas = typeof trackingAreas
type KeysOf<R extends Reported> = {
  [A in keyof Areas]: {
    [K in keyof Areas[A]['keys']]: Areas[A]['keys'][K] extends Key<R> ? K : never
  }[keyof Areas[A]['keys']]
}[keyof Areas]

/** Links in the menus of the header and in the columns of the footer have a key for each page. */
type MenuKey = `header-${string}` | `footer-${string}`
/** Values of `data-track`. */
export type TrackKey = KeysOf<'click'> | KeysOf<'both'> | MenuKey
/** Values of `data-expose`. */
export type ExposeKey = KeysOf<'expose'> | KeysOf<'both'>
/** Keys of calls to action and cards, which are reported in both ways. */
export type CallKey = KeysOf<'both'>
