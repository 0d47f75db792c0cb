/**
 * Content of the benchmark's two pages. Its size and structure equal those of the pages that the
 * other frameworks render: a home page of about 550 elements and an article of about 1,500 words.
 */
export type Link = { label: string; href: string }

const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
const links = (folder: string, labels: readonly string[]): Link[] =>
  labels.map((label) => ({ label, href: `/${folder}/${slug(label)}` }))

export const name = 'Lanternboat'
export const tagline = 'Many accounts, one calm desk'

export const nav: readonly Link[] = [
  ...links('features', [
    'Profiles',
    'Fingerprints',
    'Synchroniser',
    'Flows',
    'Local interface',
    'Team desk',
  ]),
  ...links('solutions', [
    'Shops',
    'Agencies',
    'Social media',
    'Ticketing',
    'Research',
    'Affiliates',
  ]),
  ...links('docs', [
    'First steps',
    'Proxies',
    'Cookies',
    'Automation',
    'Roles',
    'Audit trail',
    'Moving in',
  ]),
  ...links('blog', ['Field reports', 'Releases', 'Guides', 'A week with thirty shops']),
  { label: 'Pricing', href: '/pricing' },
  { label: 'Contact', href: '/about-us' },
]

export const hero = {
  title: 'Thirty accounts open, and none of them knows the others',
  lead: 'Lanternboat gives every account a browser of its own: its cookies, its address, its clock and its screen. Hand a profile to a colleague in the morning, take it back at night, and nothing about it has changed but the work that was done.',
  actions: [
    { label: 'Set up two profiles free', href: '/download' },
    { label: 'See how a profile works', href: '/docs/profiles' },
  ],
  stats: [
    ['2,400', 'teams at work today'],
    ['14', 'languages on the desk'],
    ['41 s', 'from download to first profile'],
    ['0', 'settings to guess'],
  ],
} as const

const feature = (title: string, text: string, points: readonly string[]) => ({
  title,
  text,
  points,
  href: `/features/${slug(title)}`,
})
export const features = [
  feature(
    'A profile is a whole browser',
    'Storage, fonts, languages and graphics belong together and stay together, however often you open it.',
    ['Own storage', 'Own address', 'Own clock', 'Own history'],
  ),
  feature(
    'Fingerprints that agree',
    'What one question answers, the next one confirms: nothing about a profile contradicts itself.',
    ['Real devices', 'Stable for years', 'Checked daily', 'No patchwork'],
  ),
  feature(
    'Proxies beside the profile',
    'Paste a list, and every address is tried before it is given to a profile.',
    ['Four protocols', 'Country shown', 'Health at a glance', 'Swap in one click'],
  ),
  feature(
    'One hand, twenty windows',
    'Do it once in the leading window; the others follow, each at its own slightly different pace.',
    ['Typing varies', 'Pauses differ', 'Stop at any time', 'Side by side'],
  ),
  feature(
    'Flows without a program',
    'Drag the steps together, test them on one profile and let them run on a hundred.',
    ['Steps as blocks', 'Tables as input', 'Runs on schedule', 'Clear failures'],
  ),
  feature(
    'A door for programs',
    'A local interface opens and closes profiles for the tools that your developers already use.',
    ['Known drivers', 'Plain requests', 'Keys per person', 'Limits per key'],
  ),
  feature(
    'Roles that fit',
    'Who may open, change, hand over or export a profile is decided once and holds everywhere.',
    ['Five roles', 'Own groups', 'Guests by link', 'Ends on a date'],
  ),
  feature(
    'Hand over without passwords',
    'A colleague opens the account; he never sees what it was opened with.',
    ['Signed in already', 'Returned by itself', 'Noted in the trail', 'Works offline'],
  ),
  feature(
    'An audit trail to read',
    'Every opening, change and transfer in one list, in words that a manager understands.',
    ['By person', 'By profile', 'Export as table', 'Kept two years'],
  ),
  feature(
    'Cookies that travel',
    'Bring them along from where you are today, and take them with you when you go.',
    ['Three formats', 'Checked on entry', 'Merged by date', 'Nothing is lost'],
  ),
  feature(
    'Folders, tags and search',
    'Nine hundred profiles are found as fast as nine, by whatever you remember of them.',
    ['Saved views', 'Notes', 'Colours', 'Bulk changes'],
  ),
  feature(
    'Backups you can open',
    'Each night a copy of each profile, encrypted with a key that only your team has.',
    ['Own key', 'Thirty days', 'Single profiles', 'Tested weekly'],
  ),
] as const

export const steps = [
  [
    'Install',
    'One file for your system; it needs no administrator and leaves nothing behind when it goes.',
  ],
  ['Make a profile', 'Choose a country and a device; the rest is filled in so that it agrees.'],
  [
    'Add an address',
    'Paste a proxy or a whole list. What does not answer is marked before it can do harm.',
  ],
  ['Sign in once', 'From then on the profile is signed in for everybody to whom you hand it.'],
  ['Share the work', 'Give roles, hand over profiles, and read in the evening what was done.'],
] as const

export const comparison = {
  columns: ['Lanternboat', 'Many browsers', 'One browser with tabs', 'A room full of phones'],
  rows: [
    ['Accounts kept apart', 'yes', 'mostly', 'no', 'yes'],
    ['Handed over without a password', 'yes', 'no', 'no', 'no'],
    ['Same device tomorrow', 'yes', 'no', 'yes', 'yes'],
    ['Addresses per account', 'yes', 'by hand', 'no', 'by hand'],
    ['Work recorded', 'yes', 'no', 'no', 'no'],
    ['Repeated in many windows', 'yes', 'no', 'no', 'no'],
    ['Runs while you sleep', 'yes', 'no', 'no', 'sometimes'],
    ['Set up in a minute', 'yes', 'no', 'yes', 'no'],
    ['Fits on one desk', 'yes', 'yes', 'yes', 'no'],
    ['Costs known beforehand', 'yes', 'yes', 'yes', 'no'],
  ],
} as const

export const faq = [
  [
    'Do my accounts leave my computer?',
    'Only if you share them. A profile that is yours alone stays on your disk, encrypted.',
  ],
  [
    'What happens when a proxy dies?',
    'The profile waits. It never falls back to your own address.',
  ],
  [
    'Can I bring what I have?',
    'Cookies, bookmarks and lists of addresses are read from the usual formats.',
  ],
  ['Is there a limit of windows?', 'Your memory is the limit. A sleeping profile needs none.'],
  ['Which systems?', 'Windows and macOS, both kinds of processor; Linux in preview.'],
  ['Can a colleague see my password?', 'No. He opens a profile that is signed in already.'],
  ['May I leave?', 'At any time, with everything you brought and everything you made.'],
  ['Who answers questions?', 'People of the team, in your language, within a working day.'],
] as const

const column = (title: string, folder: string, labels: readonly string[]) => ({
  title,
  links: links(folder, labels),
})
export const footer = [
  column('Product', 'features', [
    'Profiles',
    'Proxies',
    'Synchroniser',
    'Flows',
    'Local interface',
    'Roles',
    'Backups',
    'Releases',
  ]),
  column('Work', 'solutions', [
    'Shops',
    'Agencies',
    'Social media',
    'Ticketing',
    'Research',
    'Affiliates',
    'Brands',
    'Studios',
  ]),
  column('Learn', 'docs', [
    'First steps',
    'Proxies explained',
    'Cookies explained',
    'Automation',
    'Fingerprints',
    'Glossary',
    'Videos',
    'Questions',
  ]),
  column('Company', 'pages', [
    'About',
    'People',
    'Jobs',
    'Press',
    'Partners',
    'Security',
    'Status',
    'Contact',
  ]),
  column('Legal', 'legal', [
    'Terms',
    'Privacy',
    'Cookies',
    'Imprint',
    'Processors',
    'Accessibility',
    'Licences',
    'Abuse',
  ]),
] as const

const paragraphs = [
  'On Monday the desk looks like every desk on a Monday: eleven messages about orders, two about returns, and one from a marketplace that would like to know whether the person who signed in last night is the person who signed in this morning. It was the same person. It was not the same browser, because the laptop had been updated in between, and that was enough.',
  'The team keeps thirty shops on seven marketplaces, which sounds like a great deal and is, in truth, about four hours of work a day spread over three people. What makes it hard is not the number. It is that every shop has a history, and that each history has to go on as if nobody but its owner had ever touched it.',
  'So the first rule of the week is that a shop is opened in its own profile and nowhere else. Not on a phone on the train, not in a private window for a moment, not by a friend who happens to have the password. A profile that is opened in one place only never has to explain itself.',
  'The second rule is that nobody writes a password down, because nobody has one. Whoever is on duty is handed the profiles of the day. They are signed in. In the evening they go back to the shelf by themselves, and the trail says in plain words who had them and what was changed.',
]
/** The article as HTML, like compiled content: built once, not for each request. */
export const article = {
  title: 'A week with thirty shops',
  author: 'Mirja Holm',
  date: '2026-02-11',
  tags: ['shops', 'teamwork', 'habits'],
  html: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']
    .map(
      (day, index) =>
        `<h2 id="${slug(day)}">${day}</h2>\n${[...paragraphs.slice(index % 4), ...paragraphs.slice(0, index % 4)].map((text) => `<p>${text}</p>`).join('\n')}\n<ul>${['what was opened', 'what was handed over', 'what came back'].map((item) => `<li>Note ${item}.</li>`).join('')}</ul>`,
    )
    .join('\n'),
}
