import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anApplication, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { readCase } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({ KYC_VALID_DAYS: '100' }, afterAll)
const { call, mailsTo, services } = started
const [one, two] = [
  await aSignedInMember(started, { manage_finance: 2 }),
  await aSignedInMember(started, { manage_finance: 2 }),
]
const assign = (by: TestMember, id: string, to: 'me' | 'nobody', takeOver = false) =>
  call(api.assignKycCase, { params: { id }, body: { to, takeOver } }, { token: by.token })
const statistics = async () => (await call(api.readKycStatistics, {}, { token: one.token })).body
const kindsTo = async (member: TestMember) => (await mailsTo(member.email)).map(({ kind }) => kind)
const aCase = async () => {
  const member = await aSignedInMember(started)
  return { member, id: (await anApplication(started, member))._id }
}

test.each(['takes the case', 'judges a photo'])(
  'the review starts when an officer %s, with one step and one email',
  async (how) => {
    const { member, id } = await aCase()
    const before = await statistics()
    if (how === 'takes the case') {
      expect((await assign(one, id, 'me')).body.status).toBe('in_review')
      await assign(two, id, 'me', true)
      await readCase(started, two, id)
      expect((await assign(two, id, 'nobody')).body.status).toBe('in_review')
    } else {
      const open = { params: { id, n: 0 }, body: { verdict: 'open' as const, round: 1 } }
      await call(api.reviewKycPhoto, open, { token: one.token })
      expect(await kindsTo(member)).toEqual(['kyc-submitted'])
      await readCase(started, one, id)
      await readCase(started, two, id)
    }
    expect(await kindsTo(member)).toEqual(['kyc-submitted', 'kyc-in-review'])
    const { body } = await call(api.getKycHistory, { params: { id } }, { token: member.token })
    expect(body.steps.map(({ to }) => to)).toEqual(['submitted', 'in_review'])
    const found = await call(
      api.listKycCases,
      { query: { status: 'in_review', q: id } },
      { token: one.token },
    )
    expect(found.body).toHaveLength(1)
    const after = await statistics()
    expect(after.waiting).toEqual({
      ...before.waiting,
      submitted: before.waiting.submitted - 1,
      in_review: before.waiting.in_review + 1,
    })
  },
)

test('of two officers who start at once one does, and the member gets one email', async () => {
  const { member, id } = await aCase()
  await Promise.all([
    assign(one, id, 'me'),
    assign(two, id, 'me'),
    readCase(started, one, id).catch(() => {}),
  ])
  expect(await kindsTo(member)).toEqual(['kyc-submitted', 'kyc-in-review'])
})

test('a decided case is unassigned, cannot be taken, and is found by its decider', async () => {
  const { id } = await aCase()
  await assign(one, id, 'me')
  await readCase(started, one, id)
  const decided = await call(
    api.decideKycCase,
    { params: { id }, body: { status: 'approved' } },
    { token: one.token },
  )
  expect(decided.body.assignee).toBeNull()
  expect((await assign(two, id, 'me')).status).toBe(409)
  const mine = (by: TestMember) =>
    call(api.listKycCases, { query: { assignee: 'me', q: id } }, { token: by.token })
  expect((await mine(one)).body).toHaveLength(1)
  expect((await mine(two)).body).toEqual([])
})

test('decisions of the last 30 days stay counted, whatever follows', async () => {
  const approve = async () => {
    const { member, id } = await aCase()
    await readCase(started, one, id)
    await call(api.decideKycCase, { params: { id }, body: { status: 'approved' } }, { token: one.token })
    return { member, id }
  }
  const before = await statistics()
  const [expired, withdrawn] = [await approve(), await approve()]
  const counted = (await statistics()).decided.approved
  expect(counted).toBe(before.decided.approved + 2)
  await services.db
    .updateTable('kyc_application')
    .set({ decided_at: new Date(Date.now() - 101 * 86_400_000) })
    .where('id', '=', expired.id)
    .execute()
  await cleanUp(services)
  await call(
    api.decideKycCase,
    { params: { id: withdrawn.id }, body: { status: 'withdrawn', reason: 'Lost.' } },
    { token: one.token },
  )
  expect((await statistics()).decided).toMatchObject({ approved: counted, expired: 1, withdrawn: 1 })
})
