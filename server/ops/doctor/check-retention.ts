import { existsSync } from 'node:fs'
import { dayMs } from '../../../shared/constants'
import { sqlitePath, type Database } from '../../db/database'
import { retention, tablesToPrune } from '../../db/prune'
import type { Settings } from '../../env'
import { note, ok, type Finding } from './finding'

/** Pruning runs daily; a day more is no finding. */
const graceMs = 2 * dayMs

function describeRule([table, rule]: [string, (typeof retention)[keyof typeof retention]]): string {
  if (rule === 'always') return `${table} always`
  return `${table}${rule.onlyWithout ? ` without ${rule.onlyWithout}` : ''} ${rule.days}`
}

/** Says how many days the rows of each table are kept, and whether old rows are deleted. */
export async function checkRetention(
  { DATABASE_URL }: Pick<Settings, 'DATABASE_URL'>,
  database: Database,
): Promise<Finding> {
  const kept = `days that rows are kept: ${Object.entries(retention).map(describeRule).join(', ')}`
  const file = sqlitePath(DATABASE_URL)
  if (file !== null && !existsSync(file)) return ok('retention', kept)
  const tables = await tablesToPrune(database, Date.now() - graceMs).catch(() => [])
  return tables.length > 0
    ? note(
        'retention',
        `these tables have rows that are overdue for deletion: ${tables.join(', ')} (${kept})`,
        'run npm run db:prune every day, for example with deploy/site-upkeep.timer',
      )
    : ok('retention', kept)
}
