import { type ClientBase, escapeIdentifier } from 'pg'
import { listForeignKeys, named } from './dump-catalogue.ts'

type Trigger = { table: string; name: string; state: keyof typeof enabling }

/** How to enable a trigger again, by `pg_trigger.tgenabled`. */
const enabling = { O: 'enable trigger', R: 'enable replica trigger', A: 'enable always trigger' }

/** Statements before and after loading the tables. */
type AroundLoad = { before: string[]; after: string[] }

/**
 * Prepares loading the tables in the given order in one transaction: the product's triggers are disabled (their
 * effects are in the dump already), and foreign keys in cycles of tables are checked at the end. All other keys
 * are checked as rows are inserted. Everything is restored afterwards.
 */
export async function aroundLoad(client: ClientBase, order: readonly string[]): Promise<AroundLoad> {
  const triggers = await listEnabledTriggers(client)
  const keys = await listForeignKeys(client)
  const forward = keys.filter((key) => !key.isDeferrable && order.indexOf(key.from) < order.indexOf(key.to))
  const alterKeys = (how: string) =>
    forward.map(
      ({ from, name }) => `alter table ${named(from)} alter constraint ${escapeIdentifier(name)} ${how}`,
    )
  const alterTriggers = (how: (trigger: Trigger) => string) =>
    triggers.map(
      (trigger) => `alter table ${named(trigger.table)} ${how(trigger)} ${escapeIdentifier(trigger.name)}`,
    )
  return {
    before: [
      ...alterTriggers(() => 'disable trigger'),
      ...alterKeys('deferrable initially deferred'),
      'set constraints all deferred',
    ],
    after: [
      'set constraints all immediate',
      ...alterKeys('not deferrable'),
      ...alterTriggers(({ state }) => enabling[state]),
    ],
  }
}

/** Runs a load within the caller's transaction. */
export async function withDeferredChecks(
  client: ClientBase,
  order: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const { before, after } = await aroundLoad(client, order)
  for (const statement of before) await client.query(statement)
  await load()
  for (const statement of after) await client.query(statement)
}

async function listEnabledTriggers(client: ClientBase): Promise<Trigger[]> {
  const { rows } = await client.query(`
    select c.relname as "table", t.tgname as name, t.tgenabled as state
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not t.tgisinternal and t.tgenabled <> 'D'
    order by 1, 2`)
  return rows as Trigger[]
}
