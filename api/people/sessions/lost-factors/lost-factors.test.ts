import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { aMember, anAdmin, aSignedInMember, goodPassword, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { addPasskey, aPasskeyDevice, signInWith } from '#tests/passkey-device.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aMemberWithTotp, as, letProofAge, nextCode } from '#tests/step-up.ts'

const how = 'On a video call, with the passport of the identity check.'

async function aScene() {
  const started = await startApi()
  const { member, totp } = await aMemberWithTotp(started)
  const next = () => nextCode(totp)
  const staff = () => aSignedInMember(started, { manage_employee: 2 })
  const [first, second] = [await staff(), await staff()]
  const ask = (password = goodPassword) =>
    started.call(api.requestAccountRecovery, { body: { email: member.email, password } }, { ip: '192.0.2.1' })
  const signIn = (secondFactor?: string) =>
    started.call(
      api.signIn,
      { body: { email: member.email, password: goodPassword, ...(secondFactor && { secondFactor }) } },
      { ip: member.ip },
    )
  const list = async () => (await started.call(api.listRecoveryRequests, {}, as(first))).body
  const outcome = async (endpoint: Endpoint, input: CallOf<Endpoint>, by: TestMember) => {
    const { status, problem } = await started.call(endpoint, input, as(by))
    return status === 200 ? status : problem.code
  }
  const open = (id: string, by = first) => outcome(api.verifyRecoveryRequest, { body: { id, how } }, by)
  const confirm = (id: string, by = second) => outcome(api.approveRecoveryRequest, { body: { id } }, by)
  const letDayPass = () =>
    started.services.db
      .updateTable('lost_factor')
      .set({ takes_effect_at: new Date(Date.now() - 1000) })
      .where('takes_effect_at', 'is not', null)
      .execute()
  const mails = async () =>
    (await started.mailsTo(member.email)).map(({ kind }) => kind).filter((kind) => kind.startsWith('lost-'))
  const stopLink = async () => {
    const mail = (await started.mailsTo(member.email)).findLast(({ text }) => text.includes('/login/stop/'))!
    const [, id = '', code = ''] = /\/login\/stop\/([^/\s]+)\/(\S+)/.exec(mail.text)!
    return { id, code: decodeURIComponent(code) }
  }
  return {
    started,
    member,
    next,
    first,
    second,
    ask,
    signIn,
    list,
    open,
    confirm,
    letDayPass,
    mails,
    stopLink,
    outcome,
  }
}

test('two staff members approve the recovery, each step is emailed and logged, and a day later the factors are removed', async () => {
  const { started, member, first, second, ask, signIn, list, open, confirm, letDayPass, mails } =
    await aScene()
  expect((await ask()).body).toEqual({ state: 'asked', takesEffectAt: null })
  expect((await ask()).body.state).toBe('asked')
  const [asked] = await list()
  expect(asked).toMatchObject({
    member: { id: member.id, email: member.email },
    state: 'asked',
    openedBy: null,
  })
  expect(await open(asked!.id)).toBe(200)
  expect((await signIn()).problem.secondFactor?.lostFactor).toEqual({ state: 'opened', takesEffectAt: null })
  expect(await confirm(asked!.id)).toBe(200)
  const [confirmed] = await list()
  expect(confirmed).toMatchObject({
    state: 'confirmed',
    how,
    openedBy: { id: first.id },
    confirmedBy: { id: second.id },
  })
  const wait = new Date(confirmed!.takesEffectAt!).getTime() - Date.now()
  expect(wait).toBeGreaterThan(23.9 * 3_600_000)
  expect(wait).toBeLessThanOrEqual(24 * 3_600_000)

  // Does nothing before it is due.
  await cleanUp(started.services)
  expect((await signIn()).problem.code).toBe('second_factor_required')
  expect((await started.call(api.listSessions, {}, as(member))).status).toBe(200)
  await letDayPass()
  const back = await signIn()
  expect(back).toMatchObject({ status: 200, body: { hasSecondFactor: false } })
  expect((await started.call(api.listSessions, {}, as(member))).problem.code).toBe('session_expired')
  expect(await mails()).toEqual([
    'lost-factor-asked',
    'lost-factor-opened',
    'lost-factor-confirmed',
    'lost-factor-done',
  ])
  const entries = await started.services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id'])
    .where('action', 'like', 'lost-factor-%')
    .orderBy('id')
    .execute()
  expect(entries).toEqual([
    { action: 'lost-factor-asked', actor_id: member.id },
    { action: 'lost-factor-opened', actor_id: first.id },
    { action: 'lost-factor-confirmed', actor_id: second.id },
    { action: 'lost-factor-done', actor_id: null },
  ])
  expect(await list()).toEqual([])
})

test('confirming the recovery of a staff account emails every administrator', async () => {
  const { started, member, ask, list, open, confirm } = await aScene()
  const chief = await anAdmin(started)
  const kinds = async () => (await started.mailsTo(chief.email)).map(({ kind }) => kind).slice(1)
  await ask()
  const [{ id } = { id: '' }] = await list()
  await open(id)
  await started.services.db
    .updateTable('member')
    .set({ manage_finance: 1 })
    .where('id', '=', member.id)
    .execute()
  expect(await kinds()).toEqual([])
  expect(await confirm(id)).toBe(200)
  expect(await kinds()).toEqual(['staff-recovery-confirmed'])
})

test('the factors are removed on time even without a sign-in', async () => {
  const { started, member, ask, list, open, confirm, letDayPass, mails } = await aScene()
  await ask()
  const [{ id } = { id: '' }] = await list()
  await open(id)
  await confirm(id)
  await letDayPass()
  await cleanUp(started.services)
  expect(await mails()).toContain('lost-factor-done')
  expect((await started.call(api.listSessions, {}, as(member))).problem.code).toBe('session_expired')
})

test('only the correct password can request it, and attempts count like those of a sign-in', async () => {
  const { ask, list, signIn } = await aScene()
  for (let n = 0; n < 10; n += 1) expect((await ask('wrong')).problem.code).toBe('credentials_invalid')
  expect((await ask()).problem.code).toBe('rate_limited')
  expect(await list()).toEqual([])
  expect((await signIn()).problem.secondFactor?.lostFactor).toBeUndefined()
})

test('an account without a factor has nothing to recover', async () => {
  const started = await startApi()
  const { email } = await aMember(started)
  const answer = await started.call(api.requestAccountRecovery, { body: { email, password: goodPassword } })
  expect(answer.problem.code).toBe('conflict')
})

test('nobody can do it alone, for themselves, or after losing the right', async () => {
  const { started, first, second, ask, list, open, confirm, outcome } = await aScene()
  await ask()
  const [{ id } = { id: '' }] = await list()
  expect(await confirm(id)).toBe('conflict')
  expect(await open(id)).toBe(200)
  expect(await confirm(id, first)).toBe('forbidden')
  await started.services.db
    .updateTable('member')
    .set({ manage_employee: 1 })
    .where('id', '=', first.id)
    .execute()
  expect(await confirm(id)).toBe('conflict')
  // After reopening by an authorized person, another one must confirm.
  expect(await open(id, second)).toBe(200)
  expect(await confirm(id, second)).toBe('forbidden')
  expect(await outcome(api.verifyRecoveryRequest, { body: { id: 'none', how } }, second)).toBe('not_found')

  const { member: colleague } = await aMemberWithTotp(started, { manage_employee: 2 })
  await started.call(api.requestAccountRecovery, { body: { email: colleague.email, password: goodPassword } })
  const own = (await started.call(api.listRecoveryRequests, {}, as(second))).body.find(
    (each) => each.member.id === colleague.id,
  )!
  for (const [endpoint, body] of [
    [api.verifyRecoveryRequest, { id: own.id, how }],
    [api.approveRecoveryRequest, { id: own.id }],
    [api.rejectRecoveryRequest, { id: own.id }],
  ] as const)
    expect(await outcome(endpoint, { body }, colleague)).toBe('forbidden')
})

test('the steps of staff require a fresh proof', async () => {
  const { started, first, second, ask, list, open, confirm, outcome } = await aScene()
  await ask()
  const [{ id } = { id: '' }] = await list()
  await letProofAge(started, first)
  expect(await open(id)).toBe('step_up_required')
  await started.call(api.stepUp, { body: { password: first.password } }, as(first))
  expect(await open(id)).toBe(200)
  await letProofAge(started, first)
  // A request that fails anyway asks for no step-up authentication.
  expect(await confirm(id, first)).toBe('forbidden')
  await letProofAge(started, second)
  expect(await confirm(id)).toBe('step_up_required')
  expect(await outcome(api.rejectRecoveryRequest, { body: { id } }, second)).toBe('step_up_required')
})

test('the link in each email stops it until it takes effect, and no other code does', async () => {
  const { started, ask, list, open, confirm, signIn, letDayPass, mails, stopLink } = await aScene()
  const stop = async (body: { id: string; code: string }) => {
    const { status, problem } = await started.call(api.cancelRecoveryRequest, { body })
    return status === 200 ? status : problem.code
  }
  await ask()
  const [{ id } = { id: '' }] = await list()
  const first = await stopLink()
  await open(id)
  await confirm(id)
  expect(await stop({ id, code: 'made-up' })).toBe('code_invalid')
  expect(await stop({ id: 'none', code: first.code })).toBe('code_invalid')
  expect(await stop(first)).toBe(200)
  expect(await stop(first)).toBe(200)
  await letDayPass()
  await cleanUp(started.services)
  expect((await signIn()).problem.code).toBe('second_factor_required')
  expect((await mails()).filter((kind) => kind === 'lost-factor-stopped')).toHaveLength(1)

  // The link of a stopped request does not affect the next one.
  await ask()
  const [next] = await list()
  expect(await stop(first)).toBe(200)
  expect((await list()).map((each) => each.id)).toEqual([next!.id])
  await open(next!.id)
  await confirm(next!.id)
  await letDayPass()
  expect((await signIn()).status).toBe(200)
  expect(await stop(await stopLink())).toBe('conflict')
})

test.each(['a factor at sign-in', 'a factor in an open session', 'a new password', 'the staff'])(
  '%s ends the request',
  async (by) => {
    const { started, member, next, second, ask, list, open, confirm, signIn, letDayPass, outcome } =
      await aScene()
    await ask()
    const [{ id } = { id: '' }] = await list()
    await open(id)
    await confirm(id)
    if (by === 'a factor at sign-in') expect((await signIn(next())).status).toBe(200)
    else if (by === 'a factor in an open session')
      expect(await outcome(api.stepUp, { body: { code: next() } }, member)).toBe(200)
    else if (by === 'a new password') {
      const change = { body: { current: goodPassword, passwd: 'another good password' } }
      expect(await outcome(api.changePassword, change, member)).toBe(200)
    } else expect(await outcome(api.rejectRecoveryRequest, { body: { id } }, second)).toBe(200)
    expect(await list()).toEqual([])
    await letDayPass()
    await cleanUp(started.services)
    expect((await started.call(api.getFactors, {}, as(member))).body.totp).toBe(true)
  },
)

test('concurrent requests create one, and concurrent confirmations confirm once', async () => {
  const { started, ask, list, open, confirm, mails } = await aScene()
  expect((await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)).toEqual([200, 200, 200])
  const [{ id } = { id: '' }, ...others] = await list()
  expect(others).toEqual([])
  await open(id)
  const third = await aSignedInMember(started, { manage_employee: 2 })
  const answers = await Promise.all([confirm(id), confirm(id, third)])
  expect(answers.toSorted()).toEqual([200, 'conflict'])
  expect((await mails()).filter((kind) => kind === 'lost-factor-confirmed')).toHaveLength(1)
})

test("staff whose factor was removed can't act for others until they have a new one", async () => {
  const started = await startApi({ STAFF_SECOND_FACTOR: 'required' })
  const { member } = await aMemberWithTotp(started, { manage_employee: 2 })
  const { db } = started.services
  await started.call(api.requestAccountRecovery, { body: { email: member.email, password: goodPassword } })
  await db
    .updateTable('lost_factor')
    .set({ state: 'confirmed', takes_effect_at: new Date(Date.now() - 1000) })
    .execute()
  const back = await started.call(
    api.signIn,
    { body: { email: member.email, password: goodPassword } },
    { ip: member.ip },
  )
  expect(back.status).toBe(200)
  const answer = await started.call(api.listRecoveryRequests, {}, { token: back.body.token })
  expect(answer.problem.code).toBe('second_factor_needed')
})

test('a request that nobody completes is deleted after two weeks', async () => {
  const { started, ask, list, open, confirm } = await aScene()
  await ask()
  const [{ id } = { id: '' }] = await list()
  await open(id)
  await started.services.db
    .updateTable('lost_factor')
    .set({ asked_at: new Date(Date.now() - 15 * 86_400_000) })
    .execute()
  await cleanUp(started.services)
  expect(await list()).toEqual([])
  expect(await confirm(id)).toBe('conflict')
})

test('after the day has passed the lost factors are invalid even before the cleanup runs', async () => {
  const { started, member, next, ask, list, open, confirm, letDayPass, outcome } = await aScene()
  const device = aPasskeyDevice(member.id)
  await addPasskey(started, member, device)
  await ask()
  const id = (await list())[0]!.id
  expect([await open(id), await confirm(id)]).toEqual([200, 200])
  await letDayPass()
  expect(await outcome(api.stepUp, { body: { code: next() } }, member)).toBe('code_invalid')
  expect((await signInWith(started, device)).problem.code).toBe('passkey_invalid')
})
