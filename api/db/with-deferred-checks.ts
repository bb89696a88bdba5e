import { type ClientBase, escapeIdentifier } from 'pg'
import { listForeignKeys, named } from './dump-catalogue.ts'

type Trigger = { table: string; name: string; state: keyof typeof enabling }

/** How a trigger is enabled again, by `pg_trigger.tgenabled`. */
const enabling = { O: 'enable trigger', R: 'enable replica trigger', A: 'enable always trigger' }

/**
 * Runs a load of the tables, in the given order, inside the caller's transaction: triggers of the product stay silent
 * (what they would do is in the dump already) and foreign keys of tables that refer to one another in a ring are
 * checked at the end. All other keys are checked as the rows come in. Leaves everything as it was.
 */
export async function withDeferredChecks(
  client: ClientBase,
  order: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const triggers = await listEnabledTriggers(client)
  const keys = await listForeignKeys(client)
  const forward = keys.filter((key) => !key.isDeferrable && order.indexOf(key.from) < order.indexOf(key.to))
  const alterKeys = async (how: string): Promise<void> => {
    for (const { from, name } of forward) {
      await client.query(`alter table ${named(from)} alter constraint ${escapeIdentifier(name)} ${how}`)
    }
  }

  for (const { table, name } of triggers) {
    await client.query(`alter table ${named(table)} disable trigger ${escapeIdentifier(name)}`)
  }
  await alterKeys('deferrable initially deferred')
  await client.query('set constraints all deferred')
  await load()
  await client.query('set constraints all immediate')
  await alterKeys('not deferrable')
  for (const { table, name, state } of triggers) {
    await client.query(`alter table ${named(table)} ${enabling[state]} ${escapeIdentifier(name)}`)
  }
}

async function listEnabledTriggers(client: ClientBase): Promise<Trigger[]> {
  const { rows } = await client.query(`
    select c.relname as "table", t.tgname as name, t.tgenabled as state
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not t.tgisinternal and t.tgenabled <> 'D'
    order by 1, 2`)
  return rows as Trigger[]
}
