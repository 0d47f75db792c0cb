import type { System } from '../../shared/front-matter'

/** The user agent string, and client hints where the browser has them. */
export type AgentHints = {
  userAgent: string
  platform?: string
  architecture?: string
  bitness?: string
  touchPoints?: number
  mobile?: boolean
}

/** Where the visitor's system is unknown or has no build. */
export const defaultSystems: readonly System[] = ['com_win64']

/**
 * The visitor's system, as the list of builds to offer first, the likeliest first (spec 7.4).
 * Safari and Firefox report "Intel Mac OS X" on Apple silicon, so without client hints both Mac
 * builds are offered. Phones, tablets and unknown systems get the default, Windows 64-bit.
 */
export function detectSystems({
  userAgent,
  platform = '',
  architecture = '',
  bitness = '',
  touchPoints = 0,
  mobile = false,
}: AgentHints): readonly System[] {
  // An iPad reports itself as a Mac, but no Mac has a touch screen.
  const isHandheld =
    mobile ||
    /Android|iPhone|iPad|iPod|Mobile|Windows Phone|HarmonyOS|Tizen|KAIOS/i.test(userAgent) ||
    (/Macintosh/.test(userAgent) && touchPoints > 1)
  if (isHandheld) return defaultSystems
  if (platform === 'Windows' || /Windows NT/.test(userAgent)) {
    const is64Bit = bitness
      ? bitness === '64'
      : /Win64|x64|WOW64|ARM64/i.test(userAgent) || architecture === 'arm'
    // A browser with client hints may hide the bitness: only an old Windows without any sign of
    // 64 bits is taken for 32 bits.
    return [is64Bit || (platform === 'Windows' && !bitness) ? 'com_win64' : 'com_win32']
  }
  if (platform === 'macOS' || /Macintosh|Mac OS X/.test(userAgent)) {
    if (architecture === 'arm') return ['com_arm64']
    if (architecture === 'x86') return ['com_mac']
    return ['com_arm64', 'com_mac']
  }
  if (platform === 'Linux' || platform === 'Chrome OS' || /Linux|X11|CrOS/.test(userAgent))
    return ['com_linux']
  return defaultSystems
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

/**
 * Reads the hints that `detectSystems` takes; a browser without client hints gives its user agent
 * only.
 */
export async function readAgentHints({
  userAgent,
  maxTouchPoints,
  userAgentData,
}: HintedNavigator): Promise<AgentHints> {
  const highEntropy = await userAgentData
    ?.getHighEntropyValues?.(['architecture', 'bitness'])
    .catch(() => null)
  return {
    userAgent,
    touchPoints: maxTouchPoints,
    ...(userAgentData?.platform ? { platform: userAgentData.platform } : {}),
    ...(userAgentData?.mobile ? { mobile: true } : {}),
    ...(highEntropy?.architecture ? { architecture: highEntropy.architecture } : {}),
    ...(highEntropy?.bitness ? { bitness: highEntropy.bitness } : {}),
  }
}
