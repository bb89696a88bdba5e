import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { ImportPlan } from '#contract/money/import-payments.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping } from '#tests/statements.ts'

/* One payment must not be recorded for two orders by an import and an officer who work on its line at the same time. */

const started = await startApi({}, afterAll)
const { call, services } = started
const [officer, colleague] = [
  await aSignedInMember(started, { manage_finance: 2 }),
  await aSignedInMember(started, { manage_finance: 2 }),
]
const member = await aSignedInMember(started)
const today = new Date().toISOString().slice(0, 10)

const anUnpaid = () => aBankOrder(started, member)
const importing = (file: string, seen?: ImportPlan['lines']) => {
  const given = seen?.map(({ id, updatedAt }) => ({ id, updatedAt }))
  const body = {
    file: Buffer.from(file).toString('base64'),
    mapping: bankMapping,
    ...(given && { seen: given }),
  }
  return call(api.importOrderPayments, { body }, { token: officer.token })
}
const write = (id: string, paidAmount: string | null) =>
  call(
    api.updateOrder,
    { body: { _id: id, paidAmount, reason: 'Entered by mistake.' } },
    { token: officer.token },
  )
const paidOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: officer.token })).body.paidAmount

/** Imports a line that stays open at first, and returns its preview, which would record it. */
async function aLineToRecord(reference: string, id: string) {
  const file = `Date;Amount;Purpose\n${today};100;${reference}\n`
  await write(id, '1')
  await importing(file, [])
  await write(id, null)
  const { lines } = (await importing(file)).body
  expect(lines).toMatchObject([{ id, effect: 'records' }])
  const { body } = await call(api.listStatementLines, { query: { limit: 100 } }, { token: officer.token })
  return { file, lines, line: body.find((each) => each.reference === reference)! }
}

/** Holds the order's row, as a change of the order does, while the import has to wait for it. */
async function whileHeld(id: string, work: () => Promise<unknown>) {
  await services.db.transaction().execute(async (db) => {
    await db.selectFrom('token_order').select('id').where('id', '=', id).forUpdate().execute()
    await Promise.race([work(), new Promise((resolve) => setTimeout(resolve, 500))])
  })
}

test.each(['assign', 'dismiss'] as const)(
  'a line that an import is recording can’t be resolved: %s',
  async (act) => {
    const [order, other] = [await anUnpaid(), await anUnpaid()]
    const { file, lines, line } = await aLineToRecord(order.reference, order.id)
    const params = { id: line.id }
    const by = { token: colleague.token }
    const reason = 'It pays for the other order.'
    const resolve = () =>
      act === 'assign'
        ? call(api.assignStatementLine, { params, body: { reference: other.reference, reason } }, by)
        : call(api.dismissStatementLine, { params, body: { reason } }, by)
    const waiting: Promise<unknown>[] = []
    let resolved: ReturnType<typeof resolve> | undefined
    await whileHeld(order.id, async () => {
      waiting.push(importing(file, lines))
      await new Promise((done) => setTimeout(done, 250))
      resolved = resolve()
      waiting.push(resolved)
      await resolved
    })
    await Promise.all(waiting)
    expect((await resolved!).problem.code).toBe('conflict')
    expect([await paidOf(order.id), await paidOf(other.id)]).toEqual(['100', null])
  },
)
