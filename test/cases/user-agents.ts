import type { AgentHints } from '../../client/platform/detect-systems'
import type { System } from '../../shared/front-matter'

type Row = AgentHints & {
  name: string
  /** What is offered first, in order. */ systems: readonly System[]
}

/**
 * Browsers as they call themselves; hints where the browser gives them. Phones, televisions and
 * robots get the default.
 */
export const userAgents: readonly Row[] = [
  {
    name: 'Chrome 131, Windows 11',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: 'Chrome 131, Windows 11 on ARM, with hints',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    platform: 'Windows',
    architecture: 'arm',
    bitness: '64',
    systems: ['com_win64'],
  },
  {
    name: 'Chrome 131, 32-bit Windows 10, with hints',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    platform: 'Windows',
    architecture: 'x86',
    bitness: '32',
    systems: ['com_win32'],
  },
  {
    name: 'Chrome 109, Windows 7 64-bit',
    userAgent:
      'Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: 'Chrome 109, Windows 7 32-bit',
    userAgent:
      'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Safari/537.36',
    systems: ['com_win32'],
  },
  {
    name: '32-bit Chrome 86 on 64-bit Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/86.0.4240.198 Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: 'Chrome 49, Windows XP',
    userAgent:
      'Mozilla/5.0 (Windows NT 5.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.2623.112 Safari/537.36',
    systems: ['com_win32'],
  },
  {
    name: 'Edge 131',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
    systems: ['com_win64'],
  },
  {
    name: 'Edge 18, EdgeHTML',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763',
    systems: ['com_win64'],
  },
  {
    name: 'Edge, Windows on ARM, EdgeHTML',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; ARM64; RM-1096) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/64.0.3282.140 Safari/537.36 Edge/17.17134',
    systems: ['com_win64'],
  },
  {
    name: 'Firefox 133, Windows',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
    systems: ['com_win64'],
  },
  {
    name: 'Firefox 115 ESR, 32-bit on 64-bit Windows',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; WOW64; rv:115.0) Gecko/20100101 Firefox/115.0',
    systems: ['com_win64'],
  },
  {
    name: 'Firefox 115 ESR, 32-bit Windows 8.1',
    userAgent: 'Mozilla/5.0 (Windows NT 6.3; rv:115.0) Gecko/20100101 Firefox/115.0',
    systems: ['com_win32'],
  },
  {
    name: 'Internet Explorer 11, 64-bit',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    systems: ['com_win64'],
  },
  {
    name: 'Internet Explorer 11, 32-bit',
    userAgent: 'Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko',
    systems: ['com_win32'],
  },
  {
    name: 'Opera 115, Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0',
    systems: ['com_win64'],
  },
  {
    name: 'Vivaldi 7, Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Vivaldi/7.0.3495.15',
    systems: ['com_win64'],
  },
  {
    name: 'Yandex Browser 24, Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 YaBrowser/24.10.0.0 Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: '360 Browser, Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/78.0.3904.108 Safari/537.36 QIHU 360SE',
    systems: ['com_win64'],
  },
  {
    name: 'QQ Browser, Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.71 Safari/537.36 Core/1.94.265.400 QQBrowser/12.7.5753.400',
    systems: ['com_win64'],
  },
  {
    name: 'Sogou, Windows 32-bit',
    userAgent:
      'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/58.0.3029.110 Safari/537.36 SE 2.X MetaSr 1.0',
    systems: ['com_win32'],
  },
  {
    name: 'Whale, Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Whale/3.28.266.14 Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: 'Coc Coc, Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) coc_coc_browser/131.0.220 Chrome/125.0.0.0 Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: 'Brave, hints hide the bitness',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    platform: 'Windows',
    systems: ['com_win64'],
  },
  {
    name: 'WeChat, Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/107.0.0.0 Safari/537.36 MicroMessenger/7.0.20.1781 NetType/WIFI WindowsWechat',
    systems: ['com_win64'],
  },
  {
    name: 'Chrome 131, Mac without hints',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    systems: ['com_arm64', 'com_mac'],
  },
  {
    name: 'Chrome 131, Apple silicon, with hints',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    platform: 'macOS',
    architecture: 'arm',
    bitness: '64',
    systems: ['com_arm64'],
  },
  {
    name: 'Chrome 131, Intel Mac, with hints',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    platform: 'macOS',
    architecture: 'x86',
    bitness: '64',
    systems: ['com_mac'],
  },
  {
    name: 'Edge 131, Apple silicon, with hints',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
    platform: 'macOS',
    architecture: 'arm',
    systems: ['com_arm64'],
  },
  {
    name: 'Safari 18, Mac',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    systems: ['com_arm64', 'com_mac'],
  },
  {
    name: 'Safari 13, Mac',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.2 Safari/605.1.15',
    systems: ['com_arm64', 'com_mac'],
  },
  {
    name: 'Firefox 133, Mac',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0',
    systems: ['com_arm64', 'com_mac'],
  },
  {
    name: 'Opera 115, Mac',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0',
    systems: ['com_arm64', 'com_mac'],
  },
  {
    name: 'Arc, Mac, with hints',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    platform: 'macOS',
    architecture: 'arm',
    systems: ['com_arm64'],
  },
  {
    name: 'DuckDuckGo, Mac',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 Ddg/17.4',
    systems: ['com_arm64', 'com_mac'],
  },
  {
    name: 'PowerPC Safari',
    userAgent:
      'Mozilla/5.0 (Macintosh; U; PPC Mac OS X 10_5_8; en-us) AppleWebKit/533.19.4 (KHTML, like Gecko) Version/5.0.3 Safari/533.19.4',
    systems: ['com_arm64', 'com_mac'],
  },
  {
    name: 'iPad that calls itself a Mac',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    touchPoints: 5,
    systems: ['com_win64'],
  },
  {
    name: 'Safari 18, iPhone',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    systems: ['com_win64'],
  },
  {
    name: 'Chrome, iPhone',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1',
    systems: ['com_win64'],
  },
  {
    name: 'Safari, old iPad',
    userAgent:
      'Mozilla/5.0 (iPad; CPU OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1',
    systems: ['com_win64'],
  },
  {
    name: 'Chrome 131, Android phone',
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: 'Chrome 131, Android tablet',
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: 'Samsung Internet 26',
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: 'Firefox, Android',
    userAgent: 'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0',
    systems: ['com_win64'],
  },
  {
    name: 'WeChat, Android',
    userAgent:
      'Mozilla/5.0 (Linux; Android 13; 22081212C Build/TKQ1.220829.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.44',
    systems: ['com_win64'],
  },
  {
    name: 'UC Browser, Android',
    userAgent:
      'Mozilla/5.0 (Linux; U; Android 12; en-US; RMX3231) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.4.0.1306 Mobile Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: 'Windows Phone',
    userAgent:
      'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15254',
    systems: ['com_win64'],
  },
  {
    name: 'KaiOS',
    userAgent: 'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
    systems: ['com_win64'],
  },
  {
    name: 'Tizen television',
    userAgent:
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36',
    systems: ['com_win64'],
  },
  {
    name: 'Chrome 131, Linux',
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    systems: ['com_linux'],
  },
  {
    name: 'Chrome 131, Linux, with hints',
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    platform: 'Linux',
    architecture: 'x86',
    bitness: '64',
    systems: ['com_linux'],
  },
  {
    name: 'Firefox 133, Ubuntu',
    userAgent: 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    systems: ['com_linux'],
  },
  {
    name: 'Firefox 128, Fedora',
    userAgent: 'Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    systems: ['com_linux'],
  },
  {
    name: 'Epiphany, Linux',
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15 Epiphany/605.1.15',
    systems: ['com_linux'],
  },
  {
    name: 'Chromium, Raspberry Pi',
    userAgent:
      'Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/92.0.4515.98 Safari/537.36',
    systems: ['com_linux'],
  },
  {
    name: 'Konqueror',
    userAgent: 'Mozilla/5.0 (X11; Linux) KHTML/4.14.38 (like Gecko) Konqueror/4.14',
    systems: ['com_linux'],
  },
  {
    name: 'Chrome OS',
    userAgent:
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    systems: ['com_linux'],
  },
  {
    name: 'Firefox, FreeBSD',
    userAgent: 'Mozilla/5.0 (X11; FreeBSD amd64; rv:133.0) Gecko/20100101 Firefox/133.0',
    systems: ['com_linux'],
  },
  { name: 'curl', userAgent: 'curl/8.5.0', systems: ['com_win64'] },
  { name: 'no agent', userAgent: '', systems: ['com_win64'] },
  {
    name: 'a crawler',
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    systems: ['com_win64'],
  },
  {
    name: 'a games console',
    userAgent:
      'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
    systems: ['com_win64'],
  },
]
