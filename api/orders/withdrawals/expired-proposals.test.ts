import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi, staffDecides } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from '../deadline-worker.ts'

const started = await startApi({ ...staffDecides, WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services } = started
const as = (m: { token: string }) => ({ token: m.token })

test('an approval of a withdrawal ends when its officer loses the right, and does not return with it', async () => {
  const officer = () => aSignedInMember(started, { manage_finance: 2 })
  const [A, B, C] = [await officer(), await officer(), await officer()]
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '1000000', amount: '100', payMethod: 'ETH' })
  await call(api.updateOrder, { body: { _id: id, paidAmount: '100', reason: 'Seen.' } }, as(C))
  const refundAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const w = await call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, as(member))
  const accept = (by: { token: string }) =>
    call(api.acceptWithdrawal, { params: { id: w.body.id }, body: {} }, as(by))
  expect((await accept(A)).body.state).toBe('requested')
  const setRight = (level: number) =>
    services.db.updateTable('member').set({ manage_finance: level }).where('id', '=', A.id).execute()
  await setRight(0)
  // Every worker has run, more than once.
  await enforceDeadlines(services)
  await enforceDeadlines(services)
  await cleanUp(services)
  await setRight(2)
  expect((await accept(B)).body.state).toBe('requested')
})
