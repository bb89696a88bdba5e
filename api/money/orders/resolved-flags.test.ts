import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder } from '#tests/statements.ts'

/* The history and the email say which flag finance resolved, and this isn't taken for a change of the order. */

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }, afterAll)
const { call, mailsTo, services } = started
const anOfficer = () => aSignedInMember(started, { manage_finance: 2 })
const [officer, colleague] = [await anOfficer(), await anOfficer()]
const reason = 'It is theirs.'

const update = (by: TestMember, id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
const stepsOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: colleague.token })).body.steps

const flags = [
  ['disputed', 'is_disputed', 'Disputed transaction'],
  ['reportedLate', 'is_reported_late', 'Payment reported after the deadline'],
] as const

async function aFlaggedOrder(column: 'is_disputed' | 'is_reported_late') {
  const member = await aSignedInMember(started)
  const { id } = await aBankOrder(started, member, { paidAmount: '100' })
  await services.db
    .updateTable('token_order')
    .set({ [column]: true })
    .where('id', '=', id)
    .execute()
  return { id, member }
}

test.each(flags)('the history and the email name the resolved flag: %s', async (field, column, label) => {
  const { id, member } = await aFlaggedOrder(column)
  expect((await update(officer, id, { [field]: false, reason })).status).toBe(200)
  const changes = [{ field, before: '✓', after: null }]
  expect((await stepsOf(id)).at(-1)).toMatchObject({ kind: 'corrected', changes })
  const mail = (await mailsTo(member.email)).at(-1)!
  expect(mail.text.replaceAll(/\s+/g, ' ')).toContain(`${label}: ✓ → –`)
})

test.each(flags)(
  'one officer decides on a withdrawal and completes after resolving: %s',
  async (field, column) => {
    const { id } = await aFlaggedOrder(column)
    await update(officer, id, { [field]: false, reason })
    expect((await update(officer, id, { status: 'completed', reason })).body.status).toBe('completed')
    const withdrawn = await aFlaggedOrder(column)
    await update(officer, withdrawn.id, { [field]: false, reason })
    const params = { id: withdrawn.id }
    const asked = { params, body: { refundAddress: 'DE1' } }
    const made = await call(api.requestWithdrawal, asked, { token: withdrawn.member.token })
    const accepted = await call(
      api.acceptWithdrawal,
      { params: { id: made.body.id }, body: {} },
      { token: colleague.token },
    )
    expect(accepted.body).toMatchObject({ state: 'accepted', takesTwo: false })
  },
)

test('a flag that is resolved while completing is in the history, too', async () => {
  const { id } = await aFlaggedOrder('is_disputed')
  const done = await update(officer, id, { status: 'completed', disputed: false, reason })
  expect(done.body.status).toBe('completed')
  expect((await stepsOf(id)).at(-1)).toMatchObject({
    kind: 'completed',
    changes: [{ field: 'disputed', before: '✓', after: null }],
  })
})
