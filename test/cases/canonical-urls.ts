/**
 * Canonical URLs as a table: host, target, and what it answers: `page`, a status, or `status location`. Locations are
 * written with the name of their host: `en:/pricing`.
 */
export type UrlCase = readonly [host: 'en' | 'zh' | 'ru', target: string, expected: string]

/** Spec 2.5 and decisions 3, rule by rule, then together. */
export const urlCases: readonly UrlCase[] = [
  // What is canonical stays.
  ['en', '/', 'page'], ['zh', '/', 'page'], ['ru', '/', 'page'], ['en', '/pricing', 'page'], ['en', '/es', 'page'], ['en', '/es/pricing', 'page'], ['en', '/es/?ref=a', 'page'], ['en', '/blog?page=2', 'page'],
  ['en', '/blog-proxies/proxy+teamwork', 'page'], ['zh', '/guide/first-profile', 'page'], ['ru', '/use-cases', 'page'], ['en', '/vn/use-cases', 'page'], ['en', '/pricing?a=B&c=%2F', 'page'], ['en', '/release/1.2.0', 'page'],
  // 1: encoding.
  ['en', '/%70ricing', '301 en:/pricing'], ['en', '/pr%69cing?%70=1', '301 en:/pricing?%70=1'], ['en', '/%', '400'], ['en', '/%zz', '400'], ['en', '/%E0%A4%A', '400'], ['en', '/%ff', '400'], ['en', '/a%00b', '400'], ['en', '/a%0d%0ab', '400'],
  ['en', '/a%7fb', '400'], ['en', '/%c2%85', '400'], ['en', '/blog%2Fa', 'page'], ['en', '/blog%5ca', 'page'], ['en', '/%2e%2e/pricing', '301 en:/pricing'], ['en', '/%E4%BB%A3', 'page'],
  // 2: backslashes, repeated slashes, dot segments.
  ['en', '\\', '301 en:/'], ['en', '/\\\\\\', '301 en:/'], ['en', '\\pricing', '301 en:/pricing'], ['en', '/blog\\a', '301 en:/blog/a'], ['en', '//pricing', '301 en:/pricing'], ['en', '/blog//a', '301 en:/blog/a'], ['en', '//', '301 en:/'],
  ['en', '/blog/../pricing', '301 en:/pricing'], ['en', '/./pricing', '301 en:/pricing'], ['en', '/../../pricing', '301 en:/pricing'], ['en', '/blog/.', '301 en:/blog'], ['en', '//evil.example/', '301 en:/evil.example'], ['en', '/\\evil.example/', '301 en:/evil.example'],
  // 3: .html.
  ['en', '/pricing.html', '301 en:/pricing'], ['en', '/index.html', '301 en:/'], ['en', '/blog/index.html', '301 en:/blog'], ['en', '/x.html.html', '301 en:/x'], ['en', '/pricing.html/', '301 en:/pricing'], ['en', '/es.html', '301 en:/es'], ['en', '/.html', '301 en:/'],
  ['zh', '/index.html?a=1', '301 zh:/?a=1'], ['en', '//evil.example.html', '301 en:/evil.example'],
  // 4: trailing slashes.
  ['en', '/pricing/', '301 en:/pricing'], ['en', '/pricing/?a=1', '301 en:/pricing?a=1'], ['en', '/es/', '301 en:/es'], ['en', '/es/pricing///', '301 en:/es/pricing'], ['ru', '/pricing/', '301 ru:/pricing'],
  // 5: capitals.
  ['en', '/Pricing', '301 en:/pricing'], ['en', '/Download', '301 en:/download'], ['en', '/Blog/Some-Id', '301 en:/blog/some-id'], ['en', '/ES/Pricing', '301 en:/es/pricing'], ['zh', '/PRICING?A=B', '301 zh:/pricing?A=B'], ['en', '/blog%2FA', '301 en:/blog%2Fa'],
  // 6: languages in the path.
  ['en', '/en', '301 en:/'], ['en', '/en/pricing', '301 en:/pricing'], ['en', '/zh', '301 zh:/'], ['en', '/zh/pricing?a=1', '301 zh:/pricing?a=1'], ['en', '/ru/', '301 ru:/'], ['en', '/ru/pricing', '301 ru:/pricing'], ['ru', '/ru/pricing', '301 ru:/pricing'],
  ['zh', '/en/pricing', '301 en:/pricing'], ['ru', '/zh/docs/faq', '301 zh:/docs/faq'], ['en', '/vi', '301 en:/vn'], ['en', '/vi/docs/faq', '301 en:/vn/docs/faq'], ['en', '/ja/pricing', '301 en:/jp/pricing'], ['en', '/zh-tw', '301 en:/tc'], ['en', '/zh-HK/pricing', '301 en:/tc/pricing'],
  ['en', '/ru/docs/faq', '301 ru:/docs/faq'], ['en', '/en/es/pricing', '301 en:/es/pricing'], ['en', '/enough', 'page'], ['en', '/ru.evil.example/x', 'page'], ['en', '/ru@evil.example', 'page'], ['en', '/zh/zh/zh', '301 zh:/'],
  // 7: hosts.
  ['zh', '/es/pricing', '301 en:/es/pricing'], ['ru', '/es', '301 en:/es'], ['zh', '/es?a=1', '301 en:/es/?a=1'], ['zh', '/tc', '301 en:/tc'], ['ru', '/vi/', '301 en:/vn'],
  // 9: availability.
  ['ru', '/solutions', '301 ru:/use-cases'], ['en', '/vn/solutions', '301 en:/vn/use-cases'], ['en', '/use-cases', '301 en:/solutions'], ['en', '/es/use-cases', '301 en:/es/solutions'], ['zh', '/use-cases', '301 zh:/solutions'],
  ['en', '/guide', '302 en:/blog'], ['en', '/th/guide/first-profile', '302 en:/th/blog'], ['ru', '/guide', '301 ru:/'], ['ru', '/guide/first-profile', '301 ru:/'], ['en', '/tc/guide', '302 en:/tc/blog'],
  ['ru', '/blog', '301 ru:/'], ['ru', '/blog/x', '301 ru:/'], ['ru', '/blog-proxies', '301 ru:/'], ['ru', '/blog-proxies/proxy', '301 ru:/'], ['ru', '/news', '301 ru:/'], ['ru', '/news/x?a=1', '301 ru:/?a=1'], ['ru', '/news-product/release', '301 ru:/'],
  ['zh', '/solutions/crypto', '302 zh:/'], ['en', '/tc/solutions/crypto', '302 en:/tc'], ['en', '/solutions/crypto', 'page'], ['zh', '/solutions/betting', '302 zh:/'], ['en', '/tc/solutions/betting', '302 en:/tc'], ['en', '/vn/solutions/betting', '302 en:/vn'], ['en', '/vn/solutions/crypto', 'page'],
  ['zh', '/alternatives/octo-browser', '302 zh:/'], ['zh', '/alternatives/undetectable', '302 zh:/'], ['en', '/tc/alternatives/undetectable', '302 en:/tc'], ['en', '/alternatives/ziniao', '302 en:/'], ['ru', '/alternatives/ziniao', '302 ru:/'], ['zh', '/alternatives/ziniao', 'page'], ['en', '/tc/alternatives/ziniao', 'page'],
  ['zh', '/betting', '301 zh:/media-market'], ['zh', '/crypto', '301 zh:/data-collection'], ['en', '/tc/agencies', '301 en:/tc/price-comparison'], ['zh', '/ticketing', '301 zh:/self-examination'], ['zh', '/web-scraping', '302 zh:/'], ['en', '/tc/web-scraping', '302 en:/tc'],
  ['en', '/media-market', '301 en:/betting'], ['en', '/es/data-collection', '301 en:/es/crypto'], ['ru', '/price-comparison', '301 ru:/agencies'], ['en', '/vn/self-examination', '301 en:/vn/ticketing'], ['en', '/web-scraping', 'page'], ['zh', '/media-market', 'page'],
  ['en', '/docs', '302 en:/docs/first-doc'], ['en', '/fr/docs/', '302 en:/fr/docs/first-doc'], ['en', '/case/e-commerce', '301 en:/solutions/e-commerce'], ['zh', '/case/e-commerce', '301 zh:/solutions/e-commerce'], ['en', '/case/unknown', 'page'], ['en', '/case/crypto', '301 en:/solutions/crypto'],
  ['en', '/blog-proxies/teamwork+proxy', '301 en:/blog-proxies/proxy+teamwork'], ['en', '/th/news-product/b+a+b', '301 en:/th/news-product/a+b'], ['en', '/blog-proxies/proxy+proxy', '301 en:/blog-proxies/proxy'],
  // 10: the root of a prefixed language with a query.
  ['en', '/es?ref=a', '301 en:/es/?ref=a'], ['en', '/pt?', 'page'], ['en', '/tc?a=1&b=2', '301 en:/tc/?a=1&b=2'], ['en', '/?ref=a', 'page'], ['zh', '/?ref=a', 'page'], ['en', '/es?page=1', '301 en:/es'], ['en', '/es/?page=1', '301 en:/es'],
  // page=1 is the list itself; the rest of a query is kept byte for byte.
  ['en', '/blog?page=1', '301 en:/blog'], ['en', '/blog?a=1&page=1&b=2', '301 en:/blog?a=1&b=2'], ['en', '/blog?page=10', 'page'], ['en', '/pricing/?a=%zz&b=+%20', '301 en:/pricing?a=%zz&b=+%20'], ['en', '/pricing/?next=//evil.example', '301 en:/pricing?next=//evil.example'],
  // Together, still one hop.
  ['en', '//ES//Pricing.HTML/?a=1', '301 en:/es/pricing?a=1'], ['en', '\\RU\\\\Pricing.html\\', '301 ru:/pricing'], ['zh', '//EN//VI//Use-Cases/index.html/', '301 en:/vn/use-cases'], ['en', '/zh/Betting.html/', '301 zh:/media-market'], ['en', '/RU/Blog/X.html', '301 ru:/'],
  ['ru', '/zh/solutions/crypto/', '302 zh:/'], ['zh', '/Es?Ref=A', '301 en:/es/?Ref=A'], ['en', '/en/en/./pricing.html?page=1', '301 en:/pricing'], ['ru', '/Case/E-Commerce.html', '301 ru:/solutions/e-commerce'], ['en', '/%5a%48/%70ricing/', '301 zh:/pricing'],
]

/** With a redirect table: rows as they are written, and what they make of addresses. */
export const tableRows = [
  { from: '/old', to: '/pricing', status: 301, locales: null },
  { from: '/Temp.html/', to: '/download', status: 302, locales: null },
  { from: '/keep', to: '/faq', status: 307, locales: null },
  { from: '/keep-forever', to: '/faq', status: 308, locales: null },
  { from: '/away', to: 'https://partner.example/landing?x=1', status: 302, locales: null },
  { from: '/help-centre/*', to: '/helps/:splat', status: 301, locales: null },
  { from: '/only-spanish', to: '/about-us', status: 301, locales: ['es'] },
  { from: '/th/campaign', to: '/th/pricing?plan=team#prices', status: 302, locales: null },
  { from: '/ru/akcia', to: '/pricing', status: 301, locales: null },
  { from: '/chain-a', to: '/chain-b', status: 301, locales: null },
  { from: '/chain-b', to: '/Pricing/', status: 301, locales: null },
  { from: '/about-us', to: '/partner-plan', status: 302, locales: ['fr'] },
] as const

export const tableCases: readonly UrlCase[] = [
  ['en', '/old', '301 en:/pricing'], ['en', '/Old.html/?a=1', '301 en:/pricing?a=1'], ['en', '/es/old', '301 en:/es/pricing'], ['zh', '/old', '301 zh:/pricing'], ['zh', '/es/old/', '301 en:/es/pricing'],
  ['en', '/temp', '302 en:/download'], ['en', '/TEMP', '302 en:/download'], ['en', '/keep', '307 en:/faq'], ['en', '/keep/', '302 en:/faq'], ['en', '/keep-forever', '308 en:/faq'], ['en', '/keep-forever/', '301 en:/faq'],
  ['en', '/away', '302 https://partner.example/landing?x=1'], ['ru', '/away?y=2', '302 https://partner.example/landing?x=1&y=2'], ['en', '/es/away', '302 https://partner.example/landing?x=1'],
  ['en', '/help-centre/proxies', '301 en:/helps/proxies'], ['en', '/help-centre/a/b', '301 en:/helps/a/b'], ['en', '/help-centre', 'page'], ['en', '/pt/help-centre/x', '301 en:/pt/helps/x'],
  ['en', '/only-spanish', 'page'], ['en', '/es/only-spanish', '301 en:/es/about-us'], ['en', '/th/campaign?b=1', '302 en:/th/pricing?plan=team&b=1#prices'], ['en', '/campaign', 'page'], ['ru', '/akcia', '301 ru:/pricing'], ['en', '/akcia', 'page'], ['en', '/ru/akcia', '301 ru:/pricing'],
  ['en', '/chain-a', '301 en:/pricing'], ['en', '/fr/about-us', '302 en:/fr/partner-plan'], ['en', '/about-us', 'page'],
]
