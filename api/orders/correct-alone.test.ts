import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { startApi, staffDecides } from '#tests/setup/start-api.ts'
import { recordFourEyesNow } from '../four-eyes/record-changes.ts'

const started = await startApi({ ...staffDecides }, afterAll)
const { call, services } = started

test('records that four-eyes approval is off when one officer corrects a completed order alone', async () => {
  const [A, B] = [
    await aSignedInMember(started, { manage_finance: 2 }),
    await aSignedInMember(started, { manage_finance: 2 }),
  ]
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { amount: '100', fabQty: '9000' })
  const update = (body: object) => call(api.updateOrder, { body: { _id: id, ...body } }, { token: A.token })
  await update({ status: 'completed', paidAmount: '100', reason: 'Seen.' })
  await recordFourEyesNow(services)
  const setRight = (level: number) =>
    services.db.updateTable('member').set({ manage_finance: level }).where('id', '=', B.id).execute()
  await setRight(1)
  expect((await update({ paidAmount: '100000', reason: 'More.' })).status).toBe(200)
  await setRight(2)
  await recordFourEyesNow(services)
  const noted = await services.db
    .selectFrom('audit_entry')
    .select('action')
    .where('action', '=', 'four-eyes-off')
    .execute()
  expect(noted.length).toBeGreaterThan(0)
})
