import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBankOrder, importStatement } from '#tests/statements.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* Statements with overlapping periods, after finance corrected what an earlier one recorded. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '10000' }, afterAll)
const { call, services } = started
const today = new Date().toISOString().slice(0, 10)
const as = ({ token }: TestMember) => ({ token })
let officer: TestMember
let colleague: TestMember
const aTxId = () => randomBytes(12).toString('hex')
const mapping: StatementMapping = {
  columns: { date: 0, amount: 1, reference: 2, txId: 3 },
  currency: 'EUR',
  numbers: 'point',
  dates: 'iso',
}
const csv = (...rows: string[]) => ['Date;Amount;Purpose;Id;Balance', ...rows, ''].join('\n')
type Change = Omit<Parameters<typeof call<typeof api.updateOrder>>[1]['body'], '_id'>
const change = async (by: TestMember, _id: string, body: Change) => {
  const answer = await call(api.updateOrder, { body: { _id, ...body } }, as(by))
  expect([answer.status, answer.problem.errors]).toEqual([200, undefined])
  return answer.body
}
const row = (id: string) =>
  services.db.selectFrom('token_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

beforeEach(async () => {
  officer = await aSignedInMember(started, { manage_finance: 2 })
  colleague = await aSignedInMember(started, { manage_finance: 2 })
})

test.each([
  ['lowered', '1', 1],
  ['removed', null, null],
])(
  'an overlapping statement does not restore a payment with a transaction that finance %s',
  async (_, paidAmount, stays) => {
    const order = await aBankOrder(started, await aSignedInMember(started))
    const txId = aTxId()
    const first = await importStatement(
      started,
      colleague,
      csv(`${today};100;${order.reference};${txId};500`),
      mapping,
    )
    expect(first.done.lines[0]?.effect).toBe('records')
    await change(colleague, order.id, { paidAmount, paidAt: null, reason: 'The bank took it back.' })
    const again = await importStatement(
      started,
      officer,
      csv(`${today};100;${order.reference};${txId};900`),
      mapping,
    )
    void again
    const paid = (await row(order.id)).paid_amount
    expect(paid === null ? null : Number(paid)).toBe(stays)
  },
)

test('an overlapping statement does not record a moved payment for the wrong order again', async () => {
  const [wrong, right] = [
    await aBankOrder(started, await aSignedInMember(started)),
    await aBankOrder(started, await aSignedInMember(started)),
  ]
  const first = await importStatement(
    started,
    colleague,
    csv(`${today};100;${wrong.reference};;500`),
    mapping,
  )
  expect(first.done.lines[0]?.effect).toBe('records')
  // As the guide describes: clear it on the wrong order, and enter it on the right one.
  await change(colleague, wrong.id, { paidAmount: null, paidAt: null, reason: 'It was for another order.' })
  await change(colleague, right.id, { paidAmount: '100' })
  const again = await importStatement(started, officer, csv(`${today};100;${wrong.reference};;900`), mapping)
  expect([again.done.lines.map(({ effect }) => effect), (await row(wrong.id)).paid_amount]).toEqual([
    [],
    null,
  ])
})

test('a file with another amount for a recorded transaction does not change the amount received', async () => {
  const order = await aBankOrder(started, await aSignedInMember(started))
  const txId = aTxId()
  await importStatement(started, colleague, csv(`${today};10;${order.reference};${txId};500`), mapping)
  expect(Number((await row(order.id)).paid_amount)).toBe(10)
  const body = {
    file: Buffer.from(
      `reference,txId,amount,date,complete\n${order.reference},${txId},100,${today},yes\n`,
    ).toString('base64'),
  }
  const shown = (await call(api.importOrderPayments, { body }, as(officer))).body
  const seen = shown.lines.map(({ id, updatedAt, effect }) => ({ id, updatedAt, effect }))
  await call(api.importOrderPayments, { body: { ...body, seen } }, as(officer))
  const after = await row(order.id)
  expect([Number(after.paid_amount), after.status]).toEqual([10, 'pending'])
})
