import { sql } from 'kysely'
import { bigint, createTables, storeWithinPrimaryKeys, text, type Step } from './migration-steps'

/** The tables of searches by day, and the column of `search_totals` that each is added to. */
const totalColumns = { search_terms: 'found', search_misses: 'missed' } as const

function sqliteTriggers(table: string, column: string): string[] {
  const ofRow = (row: 'new' | 'old'): string => `locale = ${row}.locale and query = ${row}.query`
  return [
    // No `on conflict`: the policy of the statement that fires a trigger would replace it.
    `create trigger ${table}_added after insert on ${table} begin
      insert into search_totals (locale, query, found, missed)
        select new.locale, new.query, 0, 0
        where not exists (select 1 from search_totals where ${ofRow('new')});
      update search_totals set ${column} = ${column} + new.count where ${ofRow('new')};
    end`,
    `create trigger ${table}_changed after update of count on ${table} begin
      update search_totals set ${column} = ${column} + new.count - old.count
        where ${ofRow('new')};
    end`,
    `create trigger ${table}_deleted after delete on ${table} begin
      update search_totals set ${column} = ${column} - old.count where ${ofRow('old')};
      delete from search_totals where ${ofRow('old')} and found = 0 and missed = 0;
    end`,
  ]
}

/**
 * Totals are changed in the order of their keys, so that two processes cannot wait for each other.
 */
function postgresTriggers(table: string, column: string): string[] {
  const addTotals = (rows: 'new_rows' | 'old_rows', count: string): string => `
    insert into search_totals (locale, query, found, missed)
      select locale, query, ${column === 'found' ? `${count}, 0` : `0, ${count}`}
      from ${rows} group by locale, query order by locale, query
    on conflict (locale, query) do update
      set ${column} = search_totals.${column} + excluded.${column};`
  const body = `
    if tg_op <> 'INSERT' then ${addTotals('old_rows', '-sum(count)')} end if;
    if tg_op <> 'DELETE' then ${addTotals('new_rows', 'sum(count)')} end if;
    if tg_op = 'DELETE' then
      delete from search_totals as totals using old_rows
        where totals.locale = old_rows.locale and totals.query = old_rows.query
        and totals.found = 0 and totals.missed = 0;
    end if;
    return null;`
  const trigger = (name: string, event: string, rows: string): string =>
    `create trigger ${table}_${name} after ${event} on ${table} referencing ${rows}
      for each statement execute function add_${table}_to_totals()`
  return [
    `create function add_${table}_to_totals() returns trigger language plpgsql
      as $$ begin ${body} end $$`,
    trigger('added', 'insert', 'new table as new_rows'),
    trigger('changed', 'update', 'old table as old_rows new table as new_rows'),
    trigger('deleted', 'delete', 'old table as old_rows'),
  ]
}

/**
 * A step that adds a table of the sums of all days. Triggers keep it equal to the tables of days,
 * so it stays right when a process of the previous version adds searches or deletes days.
 */
export const addSearchTotals: Step = async (db, dialect) => {
  const primaryKey = { name: 'search_totals_once', columns: ['locale', 'query'] }
  const columns = { locale: text, query: text, found: bigint, missed: bigint }
  await createTables({ search_totals: { columns, primaryKey } })(db, dialect)
  await storeWithinPrimaryKeys(['search_totals'])(db, dialect)
  const triggersOf = dialect === 'sqlite' ? sqliteTriggers : postgresTriggers
  // Before the sums: on PostgreSQL a trigger locks the table, so no row is added in between.
  for (const [table, column] of Object.entries(totalColumns))
    for (const statement of triggersOf(table, column)) await sql.raw(statement).execute(db)
  await sql`
    insert into search_totals (locale, query, found, missed)
    select locale, query, sum(found), sum(missed)
    from (
      select locale, query, count as found, 0 as missed from search_terms
      union all select locale, query, 0, count from search_misses
    ) as counts group by locale, query`.execute(db)
  await sql`
    create index search_totals_by_count on search_totals ((found + missed) desc, query, locale)
  `.execute(db)
  await sql`
    create index search_totals_by_misses on search_totals (missed desc, query, locale)
  `.execute(db)
}
