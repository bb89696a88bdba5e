import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { readConfig } from '#api/platform/config/config.ts'
import { anEmail, aSignedInMember, goodPassword, signUp } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { elsewhere, invitationsAtWork } from '#tests/invitations-at-work.ts'
import { identityCases } from '#tests/setup/identity-cases.ts'
import { readCase } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { recordIdentityWithdrawn } from './record-invitation.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const { anInviter, ask, codesTo, activate, invited, totals, flagsOf, approveIdentity } =
  await invitationsAtWork(started)

test('counts a sign-up, its activation, and the approved identity, with points by the rules', async () => {
  const { id, code } = await anInviter()
  const email = anEmail()
  await ask(email, ` ${code.toLowerCase().slice(0, 4)}-${code.slice(4)} `)
  expect(await totals(id)).toEqual([1, 0, 0, 0])
  await activate(email, (await codesTo(email))[0]!)
  expect(await totals(id)).toEqual([1, 1, 0, 1])
  const member = await db
    .selectFrom('member')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await approveIdentity(member.id)
  await approveIdentity(member.id)
  expect(await totals(id)).toEqual([1, 1, 1, 11])
})

test('reverses a withdrawn approval once, and counts it again when it is restored', async () => {
  const { id, code } = await anInviter()
  const member = await invited(code)
  await approveIdentity(member.id)
  await recordIdentityWithdrawn(db, member.id)
  await recordIdentityWithdrawn(db, member.id)
  expect(await totals(id)).toEqual([1, 1, 0, 1])
  await approveIdentity(member.id)
  expect(await totals(id)).toEqual([1, 1, 1, 11])
  const entries = await db
    .selectFrom('ambassador_point')
    .select(['cause', 'points', 'occasion'])
    .where('ambassador_id', '=', id)
    .where('cause', '=', 'identity')
    .orderBy('created_at')
    .orderBy('points', 'desc')
    .execute()
  expect(entries.map(({ points, occasion }) => [points, occasion])).toEqual([
    [10, 1],
    [-10, 1],
    [10, 2],
  ])
})

test('an unknown or ended code blocks no sign-up and looks the same as a valid one', async () => {
  const { id, code } = await anInviter()
  await db.updateTable('ambassador').set({ ended_at: new Date() }).where('id', '=', id).execute()
  const answers = [
    await ask(anEmail(), 'ZZZZZZZZ'),
    await ask(anEmail(), '  '),
    await ask(anEmail(), '\u{1F680} x'.repeat(12)),
    await ask(anEmail(), 'x'.repeat(5000)),
    await ask(anEmail(), 'AB12\u0000CD34\n'),
    await ask(anEmail(), null as never),
    await ask(anEmail(), { code } as never),
    await ask(anEmail(), code),
    await ask(anEmail(), (await anInviter()).code),
  ]
  expect(answers.map(({ status, body }) => [status, Object.keys(body)])).toEqual(
    answers.map(() => [201, ['email', 'active']]),
  )
  expect(await totals(id)).toEqual([0, 0, 0, 0])
})

test('concurrent sign-ups of one address count once', async () => {
  const [one, two] = [await anInviter(), await anInviter()]
  const email = anEmail()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => ask(email, index % 2 === 0 ? one.code : two.code)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  const [first, second] = [await totals(one.id), await totals(two.id)]
  expect(first[0]! + second[0]!).toBe(1)
})

test('of several invitations of an address, only the one whose code activates counts', async () => {
  const [one, two] = [await anInviter(), await anInviter()]
  const email = anEmail()
  await ask(email, one.code)
  await ask(email, two.code)
  const [, second] = await codesTo(email)
  expect([await totals(one.id), await totals(two.id)]).toEqual([
    [1, 0, 0, 0],
    [0, 0, 0, 0],
  ])
  await activate(email, second!)
  await activate(email, second!)
  expect([await totals(one.id), await totals(two.id)]).toEqual([
    [0, 0, 0, 0],
    [1, 1, 0, 1],
  ])
})

test('activating a sign-up without an invitation counts for none, despite a stranger’s invitation', async () => {
  const { id, code } = await anInviter()
  const email = anEmail()
  await ask(email, code)
  const { code: own } = await signUp(started, email, 'the password of its owner')
  await activate(email, own)
  expect(await totals(id)).toEqual([0, 0, 0, 0])
})

test('signing up again on another device without the link keeps the invitation', async () => {
  const { id, code } = await anInviter()
  const [again, resent] = [anEmail(), anEmail()]
  await ask(again, code)
  const { code: own } = await signUp(started, again)
  await activate(again, own)
  expect(await totals(id)).toEqual([1, 1, 0, 1])
  await ask(resent, code)
  await signUp(started, resent)
  await call(api.resendActivation, { body: { email: resent } }, { ip: elsewhere() })
  await activate(resent, (await codesTo(resent)).at(-1)!)
  expect(await totals(id)).toEqual([2, 2, 0, 2])
})

test.each([
  [
    'in full-width letters',
    (code: string) =>
      code.replaceAll(/[A-Z0-9]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  ],
  ['with an invisible character', (code: string) => `\u200b${code.slice(0, 4)}\u2011${code.slice(4)}`],
  [
    'with the link that it stands in',
    (code: string) => `https://coin.example/cn/login/signup?invitation=${code}`,
  ],
])('a code counts %s', async (_, written) => {
  const { id, code } = await anInviter()
  await invited(written(code))
  expect(await totals(id)).toEqual([1, 1, 0, 1])
})

test('counts nothing for an address with an account', async () => {
  const { id, code } = await anInviter()
  const member = await aSignedInMember(started)
  await ask(member.email, code)
  expect(await totals(id)).toEqual([0, 0, 0, 0])
  expect(
    await db.selectFrom('invited_member').select('id').where('member_id', '=', member.id).execute(),
  ).toEqual([])
})

test('an identity counts with the decision, and is reversed with it', async () => {
  const { id } = await anInviter()
  const guest = await aSignedInMember(started)
  const row = {
    member_id: guest.id,
    ambassador_id: id,
    signed_up_in: '2026-11-16',
    activated_in: '2026-11-16',
  }
  await db
    .insertInto('invited_member')
    .values({ ...row, is_counted: true })
    .execute()
  const cases = identityCases(started)
  const { id: caseId } = await cases.aCase({}, guest)
  const officer = await cases.officer('Officer')
  await readCase(started, officer, caseId)
  expect((await cases.decide(officer, caseId, { status: 'approved' })).status).toBe(200)
  expect((await totals(id)).slice(2)).toEqual([1, 10])
  const withdrawn = await cases.update(officer, { id: caseId, status: 'withdrawn', reason: 'Forged.' })
  expect(withdrawn.status).toBe(200)
  expect((await totals(id)).slice(2)).toEqual([0, 0])
})

test('ambassadors see completed weeks, but neither names nor the current week', async () => {
  const { id, code, member } = await anInviter()
  const guest = await invited(code)
  const read = async () => (await call(api.getAmbassadorResults, {}, { token: member.token })).body
  expect(await read()).toMatchObject({
    code,
    isCounting: true,
    totals: { signUps: 0, activations: 0, identities: 0 },
    weeks: [],
    points: { total: 0, entries: [], rules: { signup: 0, activation: 1, identity: 10 } },
  })
  // Simulates that a week and a half has passed.
  await sql`update invitation_week set week = week - 7 where ambassador_id = ${id}`.execute(db)
  await sql`update ambassador_point set week = week - 7 where ambassador_id = ${id}`.execute(db)
  await sql`update ambassador set created_at = created_at - interval '15 days' where id = ${id}`.execute(db)
  const later = await read()
  expect(later.totals).toEqual({ signUps: 1, activations: 1, identities: 0 })
  expect(later.weeks.slice(-2)).toEqual([
    expect.objectContaining({ signUps: 0 }),
    { week: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), signUps: 1, activations: 1, identities: 0 },
  ])
  expect(new Date(later.weeks.at(-1)!.week).getUTCDay()).toBe(1)
  expect(later.points).toMatchObject({
    total: 1,
    entries: [{ cause: 'activation', isReversal: false, count: 1, points: 1 }],
  })
  const said = JSON.stringify(later)
  expect([guest.id, guest.email].some((each) => said.includes(each))).toBe(false)
})

test('erasing an invited member keeps the counts and removes the link, which the export contained', async () => {
  const { id, code } = await anInviter()
  const guest = await aSignedInMember(started)
  await db
    .insertInto('invited_member')
    .values({
      member_id: guest.id,
      ambassador_id: id,
      signed_up_in: sql<string>`current_date`,
      is_counted: true,
    })
    .execute()
  await db
    .insertInto('ambassador_point')
    .values({
      ambassador_id: id,
      member_id: guest.id,
      cause: 'activation',
      points: 1,
      week: sql<string>`current_date`,
    })
    .execute()
  await sql`insert into invitation_week (ambassador_id, week, sign_ups, activations) values (${id}, current_date, 1, 1)`.execute(
    db,
  )
  const { body } = await call(api.exportMember, {}, { token: guest.token })
  expect(body).toMatchObject({ invitation: [{ invitationCode: code, isCounted: true }] })
  await call(api.eraseMember, { body: { current: guest.password } }, { token: guest.token })
  expect(await totals(id)).toEqual([1, 1, 0, 1])
  expect(
    await db.selectFrom('invited_member').select('id').where('ambassador_id', '=', id).execute(),
  ).toEqual([])
  expect(
    await db.selectFrom('ambassador_point').select('member_id').where('ambassador_id', '=', id).execute(),
  ).toEqual([{ member_id: null }])
})

test('signing up again after erasure does not count twice', async () => {
  const { id, code } = await anInviter()
  const email = anEmail()
  const guest = await invited(code, email)
  const session = await call(api.signIn, { body: { email, password: goodPassword } }, { ip: elsewhere() })
  const erased = await call(
    api.eraseMember,
    { body: { current: goodPassword } },
    { token: session.body.token },
  )
  expect(erased.status).toBe(200)
  expect(
    (await db.selectFrom('member').select('email').where('id', '=', guest.id).executeTakeFirstOrThrow())
      .email,
  ).not.toBe(email)
  await invited(code, email)
  expect(await totals(id)).toEqual([1, 1, 0, 1])
  expect(await flagsOf(id)).toEqual(['same_mailbox'])
  await sql`update counted_mailbox set counted_at = now() - interval '57 days'`.execute(db)
  await cleanUp(services)
  expect(await db.selectFrom('counted_mailbox').select('mailbox_hash').execute()).toEqual([])
})

test.each([
  ['AMBASSADOR_POINTS', 'identity'],
  ['AMBASSADOR_POINTS', 'identity:-1'],
  ['AMBASSADOR_POINTS', 'identity:1,identity:2'],
  ['AMBASSADOR_POINTS', 'order:5'],
])('a wrong rule of points stops the start: %s=%s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(/AMBASSADOR_POINTS must/)
})

test('rules that name one cause give no points for others', () => {
  expect(readConfig({ AMBASSADOR_POINTS: ' identity : 5 ' }).ambassadorPoints).toEqual({
    signup: 0,
    activation: 0,
    identity: 5,
  })
})
