import type { ConsoleCallRow } from './define-console-call'
import { messageCalls } from './message-calls'
import { overviewCalls } from './overview-calls'
import { addressCalls } from './address-calls'
import { searchCalls } from './search-calls'
import { pageCalls } from './page-calls'
import { privacyCalls } from './privacy-calls'
import { sessionCalls } from './session-calls'
import { systemCalls } from './system-calls'
import { translationCalls } from './translation-calls'

/** The console's calls below `/_ops/api`; each view adds its list. */
export const consoleCalls: readonly ConsoleCallRow[] = [
  ...addressCalls,
  ...overviewCalls,
  ...pageCalls,
  ...searchCalls,
  ...sessionCalls,
  ...systemCalls,
  ...translationCalls,
  ...messageCalls,
  ...privacyCalls,
]
