import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi, staffDecides } from '#tests/setup/start-api.ts'

const started = await startApi({ ...staffDecides, WITHDRAWAL_DAYS: '14' }, afterAll)
const { call } = started
const as = (m: { token: string }) => ({ token: m.token })
let officer: TestMember
beforeAll(async () => {
  officer = await aSignedInMember(started, { manage_finance: 2 })
  await aSignedInMember(started, { manage_finance: 2 })
})
let n = 0
async function disputed(fabQty: string) {
  const txId = `0x${(++n).toString(16).padStart(64, 'a')}`
  const [payer, thief] = [await aSignedInMember(started), await aSignedInMember(started)]
  const of = { fabQty, amount: '100', payMethod: 'ETH' }
  const [paid, other] = [await anOrder(started, payer.id, of), await anOrder(started, thief.id, of)]
  await call(api.reportPayment, { params: { id: paid.id }, body: { txId } }, as(payer))
  await call(api.reportPayment, { params: { id: other.id }, body: { txId } }, as(thief))
  return { payer, paid }
}
// Decision 18: "Neither order can be completed or cancelled until finance resolves the dispute with a reason."
test.each(['9000', '900000'])(
  'a disputed order of %s tokens cannot be canceled in one click without a reason',
  async (fabQty) => {
    const { paid } = await disputed(fabQty)
    const { status } = await call(
      api.updateOrder,
      { body: { _id: paid.id, status: 'cancelled' } },
      as(officer),
    )
    expect(status).not.toBe(200)
  },
)
// Decision 70: "A withdrawal can't be accepted or refused until the dispute or report is resolved."
test('one officer cannot refuse the withdrawal from a disputed order over the dispute', async () => {
  const { payer, paid } = await disputed('9000')
  const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
  const w = await call(api.requestWithdrawal, { params: { id: paid.id }, body: { refundAddress } }, as(payer))
  const { status } = await call(
    api.refuseWithdrawal,
    { params: { id: w.body.id }, body: { reason: 'No.' } },
    as(officer),
  )
  expect(status).toBe(409)
})
