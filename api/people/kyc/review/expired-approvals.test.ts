import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { finalRefusal, identityCases } from '#tests/setup/identity-cases.ts'
import { readCase } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const cases = identityCases(started)
const { aCase, decide, lift, read, remove, events, queue } = cases
const [two, three, four, five] = [
  await cases.officer('Officer Two'),
  await cases.officer('Officer Three'),
  await cases.officer('Officer Four'),
  await cases.officer('Officer Five'),
]
type Voice = 'final_proposed_at' | 'approval_proposed_at' | 'final_lift_proposed_at'
const set = (id: string, change: object) =>
  db.updateTable('member').set(change).where('id', '=', id).execute()
/** Ways in which a first approval ends. */
const ends: [string, (officer: TestMember, id: string, voice: Voice) => Promise<unknown>][] = [
  ['lost the right', ({ id }) => set(id, { manage_finance: 1 })],
  ['was closed', ({ id }) => set(id, { active: false })],
  ['has a password too short for staff', ({ id }) => set(id, { password_length_ok_for_staff: false })],
  [
    'spoke 31 days ago',
    (_, id, voice) =>
      db
        .updateTable('kyc_application')
        .set({ [voice]: new Date(Date.now() - 31 * DAY) })
        .where('id', '=', id)
        .execute(),
  ],
]

describe.each(ends)('of an officer who %s', (_, end) => {
  test('a proposed final rejection is no longer valid', async () => {
    const one = await cases.officer('Officer One')
    const { id } = await aCase()
    await decide(one, id, finalRefusal)
    await end(one, id, 'final_proposed_at')
    expect((await decide(two, id, finalRefusal)).body).toMatchObject({
      isFinal: false,
      finalProposedBy: { id: two.id },
    })
    expect((await decide(three, id, finalRefusal)).body.isFinal).toBe(true)
  })

  test('a proposal about a deleted application stays as evidence, and two others decide', async () => {
    const one = await cases.officer('Officer One')
    const { id, member, photo } = await aCase()
    await decide(one, id, finalRefusal)
    await remove(member, id)
    await end(one, id, 'final_proposed_at')
    await cleanUp(services)
    const again = await aCase({ photoUrls: [photo] })
    expect((await read(two, again.id)).body).toMatchObject({ approvalTakesTwo: true, refusals: [{ id }] })
    expect((await decide(two, id, finalRefusal)).body).toMatchObject({
      isFinal: false,
      finalProposedBy: { id: two.id },
    })
    expect((await decide(two, id, finalRefusal)).status).toBe(409)
    expect((await decide(three, id, finalRefusal)).body.isFinal).toBe(true)
  })

  test('a proposed approval is no longer valid', async () => {
    const one = await cases.officer('Officer One')
    const refused = await aCase()
    await decide(two, refused.id, finalRefusal)
    await decide(three, refused.id, finalRefusal)
    const { id } = await aCase({ photoUrls: [refused.photo] })
    await readCase(started, one, id)
    await decide(one, id, { status: 'approved' })
    await end(one, id, 'approval_proposed_at')
    expect((await read(four, id)).body.approvalProposedBy).toBeNull()
    expect((await decide(four, id, { status: 'approved' })).body).toMatchObject({
      status: 'in_review',
      approvalProposedBy: { id: four.id },
    })
    expect((await decide(five, id, { status: 'approved' })).body.status).toBe('approved')
  })

  test('a proposed reversal is no longer valid', async () => {
    const one = await cases.officer('Officer One')
    const { id } = await aCase()
    await decide(two, id, finalRefusal)
    await decide(three, id, finalRefusal)
    await lift(one, id)
    await end(one, id, 'final_lift_proposed_at')
    await cleanUp(services)
    const row = (await queue(four, { status: 'rejected' })).find(({ _id }) => _id === id)
    expect(row).toMatchObject({ isFinal: true, liftProposedBy: null })
    expect((await lift(four, id)).body).toMatchObject({ isFinal: true, liftProposedBy: { id: four.id } })
    expect((await lift(five, id)).body.isFinal).toBe(false)
  })
})

test('only its author can withdraw a proposed reversal', async () => {
  const { id } = await aCase()
  await decide(two, id, finalRefusal)
  await decide(three, id, finalRefusal)
  const takeBack = (by: TestMember) =>
    call(api.reverseKycRejection, { params: { id }, body: { isTakenBack: true } }, { token: by.token })
  expect((await takeBack(four)).status).toBe(409)
  await lift(four, id)
  expect((await takeBack(five)).status).toBe(409)
  expect((await takeBack(four)).body).toMatchObject({ isFinal: true, liftProposedBy: null })
  expect((await events(five, id))[0]).toMatchObject({ what: 'lift_taken_back', by: 'Officer Four' })
  expect((await lift(five, id)).body).toMatchObject({ isFinal: true, liftProposedBy: { id: five.id } })
  expect((await lift(four, id)).body.isFinal).toBe(false)
})
