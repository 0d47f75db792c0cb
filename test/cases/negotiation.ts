/** Spec 4.3: what a request to the en host's home page answers. `stay`, or where it is sent. */
type NegotiationCase = {
  name: string
  headers: Record<string, string>
  path?: string
  method?: string
  expected: string
}

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const from = (
  acceptLanguage: string,
  more: Record<string, string> = {},
): Record<string, string> => ({ 'user-agent': browser, 'accept-language': acceptLanguage, ...more })

export const negotiationCases: readonly NegotiationCase[] = [
  { name: 'neither language nor cookie', headers: { 'user-agent': browser }, expected: 'stay' },
  { name: 'English', headers: from('en-US,en;q=0.9'), expected: 'stay' },
  { name: 'Thai', headers: from('th-TH,th;q=0.9,en;q=0.8'), expected: 'en:/th' },
  { name: 'Vietnamese by its tag', headers: from('vi'), expected: 'en:/vn' },
  { name: 'Japanese', headers: from('ja,en;q=0.5'), expected: 'en:/jp' },
  { name: 'Brazilian Portuguese', headers: from('pt-BR'), expected: 'en:/pt' },
  { name: 'Taiwan', headers: from('zh-TW,zh;q=0.9'), expected: 'en:/tc' },
  { name: 'Hong Kong', headers: from('zh-HK'), expected: 'en:/tc' },
  { name: 'traditional script', headers: from('zh-Hant-MO'), expected: 'en:/tc' },
  {
    name: 'simplified Chinese gets English and the offer',
    headers: from('zh-CN,zh;q=0.9,th;q=0.5'),
    expected: 'stay',
  },
  { name: 'Russian gets English and the offer', headers: from('ru-RU,ru'), expected: 'stay' },
  {
    name: 'unknown languages give way to the next',
    headers: from('sv-SE,fi;q=0.9,fr;q=0.8'),
    expected: 'en:/fr',
  },
  {
    name: 'quality values decide, not the order',
    headers: from('en;q=0.3,ko;q=0.9'),
    expected: 'en:/ko',
  },
  { name: 'a language with q=0 is not chosen', headers: from('tr;q=0, en'), expected: 'stay' },
  { name: 'nonsense', headers: from(';;;,q=x,%%'), expected: 'stay' },
  {
    name: 'a cookie outranks the header',
    headers: from('th', { cookie: 'a=b; i18n_redirected=es' }),
    expected: 'en:/es',
  },
  {
    name: 'a cookie for English outranks the header',
    headers: from('th', { cookie: 'i18n_redirected=en' }),
    expected: 'stay',
  },
  {
    name: 'a cookie may send to the Chinese host',
    headers: { 'user-agent': browser, cookie: 'i18n_redirected=zh' },
    expected: 'zh:/',
  },
  {
    name: 'a cookie may send to the Russian host',
    headers: from('en', { cookie: 'i18n_redirected=ru' }),
    expected: 'ru:/',
  },
  {
    name: 'an unknown cookie counts as absent',
    headers: from('th', { cookie: 'i18n_redirected=xx' }),
    expected: 'en:/th',
  },
  {
    name: 'a hostile cookie counts as absent',
    headers: from('en', { cookie: 'i18n_redirected=//evil.example' }),
    expected: 'stay',
  },
  {
    name: 'the query is kept',
    headers: from('th'),
    path: '/?ref=a&b=%2F',
    expected: 'en:/th/?ref=a&b=%2F',
  },
  {
    name: 'one hop from an address that is not canonical',
    headers: from('th'),
    path: '//index.html?ref=a',
    expected: 'en:/th/?ref=a',
  },
  { name: 'one hop from /en', headers: from('es'), path: '/en/', expected: 'en:/es' },
  { name: 'another page stays', headers: from('th'), path: '/pricing', expected: 'stay' },
  {
    name: 'a click inside the site stays',
    headers: from('th', { 'sec-fetch-site': 'same-origin' }),
    expected: 'stay',
  },
  {
    name: 'a click from a sister host stays',
    headers: from('th', { 'sec-fetch-site': 'same-site' }),
    expected: 'stay',
  },
  {
    name: 'a link from elsewhere is an entry',
    headers: from('th', { 'sec-fetch-site': 'cross-site', referer: 'https://search.example/' }),
    expected: 'en:/th',
  },
  {
    name: 'a referrer of our own stays',
    headers: from('th', { referer: 'ORIGIN_ZH/pricing' }),
    expected: 'stay',
  },
  {
    name: 'a referrer that only looks like ours is an entry',
    headers: from('th', { referer: 'http://localhost.evil.example/' }),
    expected: 'en:/th',
  },
  {
    name: 'a crawler stays',
    headers: {
      'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'accept-language': 'th',
    },
    expected: 'stay',
  },
  { name: 'HEAD stays', headers: from('th'), method: 'HEAD', expected: 'stay' },
]
