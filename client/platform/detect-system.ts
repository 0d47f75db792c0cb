import type { System } from '../../shared/content'

/** What a browser tells: the user agent string, and client hints where it gives them. */
export type AgentHints = {
  userAgent: string
  platform?: string
  architecture?: string
  bitness?: string
  touchPoints?: number
  mobile?: boolean
}
/** Systems to offer first, the likeliest first; `known` is false where the default stands in. */
export type Detected = { systems: readonly System[]; known: boolean }

const defaultSystem: Detected = { systems: ['com_win64'], known: false }
const bothMacs: Detected = { systems: ['com_arm64', 'com_mac'], known: true }

/**
 * The visitor's system (spec 2.8, decisions 7). Safari and Firefox hide Apple silicon behind "Intel Mac OS X", so without client
 * hints both Mac builds are offered. Phones, tablets and unknown systems get the default, Windows 64-bit.
 */
export function detectSystem({
  userAgent,
  platform = '',
  architecture = '',
  bitness = '',
  touchPoints = 0,
  mobile = false,
}: AgentHints): Detected {
  // An iPad calls itself a Mac; no Mac has a touch screen.
  const handheld =
    mobile ||
    /Android|iPhone|iPad|iPod|Mobile|Windows Phone|HarmonyOS|Tizen|KAIOS/i.test(userAgent) ||
    (/Macintosh/.test(userAgent) && touchPoints > 1)
  if (handheld) return defaultSystem
  if (platform === 'Windows' || /Windows NT/.test(userAgent)) {
    const wide = bitness
      ? bitness === '64'
      : /Win64|x64|WOW64|ARM64/i.test(userAgent) || architecture === 'arm'
    // A browser that hides the processor says nothing of 64 bit: only an old Windows without any sign is taken for 32.
    return {
      systems: [wide || (platform === 'Windows' && !bitness) ? 'com_win64' : 'com_win32'],
      known: true,
    }
  }
  if (platform === 'macOS' || /Macintosh|Mac OS X/.test(userAgent)) {
    if (architecture === 'arm') return { systems: ['com_arm64'], known: true }
    if (architecture === 'x86') return { systems: ['com_mac'], known: true }
    return bothMacs
  }
  if (platform === 'Linux' || platform === 'Chrome OS' || /Linux|X11|CrOS/.test(userAgent))
    return { systems: ['com_linux'], known: true }
  return defaultSystem
}

type HintedNavigator = Pick<Navigator, 'userAgent' | 'maxTouchPoints'> & {
  userAgentData?: {
    platform?: string
    mobile?: boolean
    getHighEntropyValues?: (
      names: readonly string[],
    ) => Promise<{ architecture?: string; bitness?: string }>
  }
}

/** Asks the browser what it runs on; a browser without client hints, or one that refuses, tells what its agent string tells. */
export async function readHints({
  userAgent,
  maxTouchPoints,
  userAgentData,
}: HintedNavigator): Promise<AgentHints> {
  const more = await userAgentData
    ?.getHighEntropyValues?.(['architecture', 'bitness'])
    .catch(() => null)
  return {
    userAgent,
    touchPoints: maxTouchPoints,
    ...(userAgentData?.platform ? { platform: userAgentData.platform } : {}),
    ...(userAgentData?.mobile ? { mobile: true } : {}),
    ...(more?.architecture ? { architecture: more.architecture } : {}),
    ...(more?.bitness ? { bitness: more.bitness } : {}),
  }
}
