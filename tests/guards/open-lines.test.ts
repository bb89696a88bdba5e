import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { explain, statementsOf } from '../../bench/installation/plans.ts'
import { lockNextOverdue, lockNextToRemind } from '#api/money/orders/order-deadline.queries.ts'

/* The deadline worker runs every few seconds, however many lines and orders have the same address. */

const started = await startApi({}, afterAll)
const { config, db } = started.services
const at = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'

test('the deadline worker finds the lines of an order with an index', async () => {
  const { id } = await aSignedInMember(started)
  await sql`insert into token_order (member_id, email, pay_method, currency, amount, receiving_address, created_at, pay_before)
    select ${id}, 'a@example.com', 'USDT', 'USDT', 1000 + n, ${at}, now() - interval '2 days', now() - interval '1 hour'
    from generate_series(1, 2000) n`.execute(db)
  await sql`insert into statement_line
      (fingerprint, state, line, problem, reference, tx_id, tx_key, amount, currency, sender, address, imported_by, mapped_by)
    select n::text, 'open', n, 'ambiguous', '', '', '', (1000 + n)::text, 'USDT', '', ${at}, ${id}, ${id}
    from generate_series(1, 10000) n`.execute(db)
  await sql`analyze token_order, statement_line`.execute(db)
  const client = new pg.Client({ connectionString: config.databaseUrl! })
  await client.connect()
  onTestFinished(() => client.end())
  const large = new Set(['statement_line', 'token_order'])
  const explained = async (work: () => Promise<unknown>) => explain(client, large, await statementsOf(work))
  const overdue = await explained(() => lockNextOverdue(db, config, []))
  await sql`update token_order set pay_before = now() + interval '1 hour'`.execute(db)
  const notice = config.orderPayTime
  const toRemind = await explained(() => lockNextToRemind(db, { ...config, notice }, []))
  for (const { indexes, scanned } of [overdue, toRemind]) {
    expect([...indexes]).toContain('statement_line_by_address')
    expect([...scanned]).toEqual([])
  }
})
