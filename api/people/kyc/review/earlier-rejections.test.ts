import { afterAll, describe, expect, test } from 'vitest'
import { finalRefusal, identityCases } from '#tests/setup/identity-cases.ts'
import { readCase } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { mailsTo } = started
const cases = identityCases(started)
const { aCase, decide, read, erase, remove, events, queue } = cases
const [one, two, three, four] = [
  await cases.officer('Officer One'),
  await cases.officer('Officer Two'),
  await cases.officer('Officer Three'),
  await cases.officer('Officer Four'),
]
const aRefusal = async (fields: object = {}) => {
  const found = await aCase(fields)
  await decide(one, found.id, finalRefusal)
  expect((await decide(two, found.id, finalRefusal)).body.isFinal).toBe(true)
  return found
}
const approve = async (by: typeof one, id: string) => {
  await readCase(started, by, id)
  return decide(by, id, { status: 'approved' })
}

describe('a proposal to refuse for good', () => {
  test.each([
    ['erased with the account', ({ member }: Awaited<ReturnType<typeof aCase>>) => erase(member)],
    ['deleted', ({ member, id }: Awaited<ReturnType<typeof aCase>>) => remove(member, id)],
  ])('that was %s makes an approval of the same person take two others', async (_, escape) => {
    const { id, photo, member } = await aCase()
    await decide(one, id, finalRefusal)
    await escape({ id, photo, member } as Awaited<ReturnType<typeof aCase>>)
    const next = await aCase({ photoUrls: [photo] })
    expect((await read(three, next.id)).body).toMatchObject({
      approvalTakesTwo: true,
      refusals: [{ id, isFinal: false }],
    })
    expect((await approve(one, next.id)).problem.code).toBe('forbidden')
    expect((await approve(three, next.id)).body).toMatchObject({
      status: 'in_review',
      approvalProposedBy: { id: three.id },
    })
    // The first approver did not know about the rejection confirmed in between.
    expect((await decide(two, id, finalRefusal)).body.isFinal).toBe(true)
    expect((await read(four, next.id)).body.approvalProposedBy).toBeNull()
    expect((await decide(four, next.id, { status: 'approved' })).body.status).toBe('in_review')
  })

  test('that is confirmed flags approvals with the same data for finance', async () => {
    const first = await aCase()
    const next = await aCase({ photoUrls: [first.photo] })
    expect((await approve(three, next.id)).body.status).toBe('approved')
    const other = await aCase()
    await approve(three, other.id)
    const flagged = async () =>
      (await queue(four, { flag: 'refused_before', status: 'approved' })).map(({ _id }) => _id)
    expect(await flagged()).not.toContain(next.id)
    await decide(one, first.id, finalRefusal)
    await decide(two, first.id, finalRefusal)
    expect((await events(four, next.id))[0]).toMatchObject({ what: 'refusal_shared' })
    const list = await flagged()
    expect(list).toContain(next.id)
    expect(list).not.toContain(other.id)
    expect((await events(four, other.id)).map(({ what }) => what)).not.toContain('refusal_shared')
    for (const officer of [three, four]) {
      const mails = (await mailsTo(officer.email)).filter(({ kind }) => kind === 'staff-kyc-shared')
      expect(mails).toHaveLength(1)
      expect(mails[0]!.text).toContain(next.id)
      expect(mails[0]!.text).not.toContain(next.own.firstName)
    }
    // Ending it is left to a person.
    expect((await read(four, next.id)).body).toMatchObject({ status: 'approved', hasRefusal: true })
    expect((await mailsTo(next.member.email)).at(-1)?.kind).toBe('kyc-approved')
  })
})

describe('a final rejection by two', () => {
  test('cannot be approved by either of them as another member’s case, first or second', async () => {
    const refused = await aRefusal()
    const { id } = await aCase({ photoUrls: [refused.photo] })
    for (const decider of [one, two]) {
      expect((await read(decider, id)).body).toMatchObject({ approvalTakesTwo: true, isApprovalBarred: true })
      expect((await approve(decider, id)).problem.code).toBe('forbidden')
    }
    expect((await read(three, id)).body.isApprovalBarred).toBe(false)
    expect((await approve(three, id)).body.approvalProposedBy?.id).toBe(three.id)
    for (const decider of [one, two])
      expect((await decide(decider, id, { status: 'approved' })).problem.code).toBe('forbidden')
    expect((await decide(four, id, { status: 'approved' })).body.status).toBe('approved')
  })

  test('is recognized by name and date of birth', async () => {
    const born = { dateOfBirth: '1980-05-06' }
    const { own } = await aRefusal(born)
    const takesTwo = async (fields: object) => {
      const { id } = await aCase({ firstName: own.firstName, ...fields })
      return (await read(three, id)).body.approvalTakesTwo
    }
    expect(await takesTwo(born)).toBe(true)
    expect(await takesTwo({ dateOfBirth: '1980-05-07' })).toBe(false)
    // Without a date of birth, nothing distinguishes the two.
    expect(await takesTwo({})).toBe(true)
    const { id } = await aCase()
    expect((await approve(three, id)).body.status).toBe('approved')
  })

  test('without a date of birth is recognized by the name', async () => {
    const { own } = await aRefusal()
    const { id } = await aCase({ firstName: own.firstName, dateOfBirth: '1980-05-06' })
    expect((await read(three, id)).body.approvalTakesTwo).toBe(true)
  })
})
