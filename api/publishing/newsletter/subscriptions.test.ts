import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aSignedInMember, anEmail } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aReader, anIp, choice, codeIn, rowOf, subscribe } from '#tests/newsletter.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const { db } = services

const days = (n: number) => new Date(Date.now() - n * DAY)

test('an address gets news once its reader has confirmed, and the first time counts', async () => {
  const email = anEmail()
  expect((await subscribe(started, email)).body).toEqual({ received: true })
  const [mail] = await mailsTo(email)
  expect(mail!.kind).toBe('newsletter-confirm')
  // The code is in the fragment, which following the link sends to no server.
  expect(mail!.text).toMatch(/\/newsletter\/confirm#[\w-]{30,}/)
  expect(await rowOf(started, email)).toMatchObject({ state: 'pending', consented_at: null, rhythm: 'each' })

  const code = codeIn(mail!)
  const answers = await Promise.all(
    [1, 2, 3].map(() => call(api.confirmSubscription, { body: { code } }, { ip: anIp() })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => `${body.since} ${body.token}`)).size).toBe(1)
  expect(answers[0]!.body).toMatchObject({
    state: 'active',
    address: expect.stringMatching(/^p…@example\.org$/),
  })
  expect(await rowOf(started, email)).toMatchObject({ consent_wording: '1', consent_way: 'form' })
})

test('an unconfirmed request is deleted, and its code confirms nothing', async () => {
  const email = anEmail()
  await subscribe(started, email)
  const [mail] = await mailsTo(email)
  await db
    .updateTable('subscriber')
    .set({ code_until: days(0.001) })
    .where('email', '=', email)
    .execute()
  const answer = await call(api.confirmSubscription, { body: { code: codeIn(mail!) } }, { ip: anIp() })
  expect(answer.problem.code).toBe('code_invalid')
  const [kept, left] = [await aReader(started), await aReader(started)]
  await call(api.unsubscribeFromNews, { body: { token: left.token } }, { ip: anIp() })
  await db
    .updateTable('subscriber')
    .set({ asked_at: days(8) })
    .where('email', 'in', [email, kept.email])
    .execute()
  await db
    .updateTable('subscriber')
    .set({ ended_at: days(31) })
    .where('email', '=', left.email)
    .execute()
  await cleanUp(services)
  expect(await rowOf(started, email)).toBeUndefined()
  expect(await rowOf(started, left.email)).toBeUndefined()
  expect(await rowOf(started, kept.email)).toMatchObject({ state: 'active' })
})

test('the link of an email changes and ends its own subscription only', async () => {
  const [reader, other] = [await aReader(started), await aReader(started)]
  const ip = anIp()
  const opened = await call(api.openSubscription, { body: { token: reader.token } }, { ip })
  expect(opened.body).toMatchObject({
    state: 'active',
    rhythm: 'each',
    digest: { day: 1, hour: 9, zone: 'UTC' },
  })
  expect(JSON.stringify(opened.body)).not.toContain(reader.email)
  const change = { language: 'cn', categories: ['Events'], rhythm: 'weekly' } as const
  const changed = await call(
    api.changeSubscription,
    { body: { token: reader.token, ...change, categories: ['Events'] } },
    { ip },
  )
  expect(changed.body).toMatchObject(change)
  const [id] = reader.token.split('.')
  for (const token of [`${id}.${other.token.split('.')[1]}`, `${id}.`, 'x', `${id}.${'a'.repeat(24)}`])
    expect((await call(api.openSubscription, { body: { token } }, { ip })).problem.code).toBe('code_invalid')
  const left = await call(api.unsubscribeFromNews, { body: { token: reader.token } }, { ip })
  expect(left.body).toMatchObject({ state: 'ended' })
  expect((await call(api.unsubscribeFromNews, { body: { token: reader.token } }, { ip })).status).toBe(200)
  const again = { body: { token: reader.token, ...choice() } }
  expect((await call(api.changeSubscription, again, { ip })).problem.code).toBe('conflict')
  expect(await rowOf(started, other.email)).toMatchObject({ state: 'active', language: 'en' })
})

test('resubscribing needs new consent, and old links open nothing', async () => {
  const reader = await aReader(started)
  await call(api.unsubscribeFromNews, { body: { token: reader.token } }, { ip: anIp() })
  await db
    .updateTable('subscriber')
    .set({ mailed_at: days(1) })
    .where('email', '=', reader.email)
    .execute()
  await subscribe(started, reader.email)
  expect(await rowOf(started, reader.email)).toMatchObject({ state: 'pending', consented_at: null })
  const code = codeIn((await mailsTo(reader.email)).at(-1)!)
  const confirmed = await call(api.confirmSubscription, { body: { code } }, { ip: anIp() })
  expect(confirmed.body.token).not.toBe(reader.token)
  const old = await call(api.openSubscription, { body: { token: reader.token } }, { ip: anIp() })
  expect(old.problem.code).toBe('code_invalid')
})

test('email clients unsubscribe with a form without cookies; opening the link ends nothing', async () => {
  const reader = await aReader(started)
  const url = `/newsletter/one-click/${reader.token}`
  const seen = await started.send({ method: 'GET', url })
  expect([seen.statusCode, seen.headers.location]).toEqual([
    303,
    `${services.config.publicUrl.origin}/newsletter/manage#${reader.token}`,
  ])
  expect((await rowOf(started, reader.email))!.state).toBe('active')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const wrong = await started.send({ method: 'POST', url, headers, payload: 'something=else' })
  expect(wrong.statusCode).toBe(400)
  expect((await rowOf(started, reader.email))!.state).toBe('active')
  const payload = 'List-Unsubscribe=One-Click'
  for (const target of [url, url, '/newsletter/one-click/unknown.token'])
    expect((await started.send({ method: 'POST', url: target, headers, payload })).statusCode).toBe(200)
  expect(await rowOf(started, reader.email)).toMatchObject({ state: 'ended', ended_by: 'left' })

  const second = await aReader(started)
  const multipart = await started.send({
    method: 'POST',
    url: `/newsletter/one-click/${second.token}`,
    headers: { 'content-type': 'multipart/form-data; boundary=b', origin: 'https://elsewhere.example' },
    payload: '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
  })
  expect(multipart.statusCode).toBe(200)
  expect((await rowOf(started, second.email))!.state).toBe('ended')
})

test('a member subscribes at once, is exported, and ends with the account or its address', async () => {
  const member = await aSignedInMember(started)
  const token = { token: member.token }
  await db.updateTable('member').set({ address_proved_at: new Date() }).where('id', '=', member.id).execute()
  const saved = await call(api.saveOwnSubscription, { body: choice() }, token)
  expect(saved.body).toMatchObject({
    isProved: true,
    subscription: { state: 'active', address: member.email },
  })
  expect((await mailsTo(member.email)).map(({ kind }) => kind)).not.toContain('newsletter-confirm')
  await call(api.saveOwnSubscription, { body: { ...choice(), rhythm: 'weekly' } }, token)
  expect(await rowOf(started, member.email)).toMatchObject({ rhythm: 'weekly', consent_way: 'account' })
  const { body } = await call(api.exportMember, {}, token)
  expect(body['newsletter']).toMatchObject([{ address: member.email, wording: '1', way: 'account' }])
  await call(api.eraseMember, { body: { current: member.password } }, token)
  expect(await rowOf(started, member.email)).toBeUndefined()
})

test('an unverified account learns nothing about it, and must confirm', async () => {
  const reader = await aReader(started)
  const stranger = await aSignedInMember(started)
  await db
    .updateTable('member')
    .set({ address_proved_at: null, email: reader.email })
    .where('id', '=', stranger.id)
    .execute()
  const token = { token: stranger.token }
  expect((await call(api.readOwnSubscription, {}, token)).body).toMatchObject({
    subscription: null,
    isProved: false,
  })
  await call(api.saveOwnSubscription, { body: { ...choice(), rhythm: 'weekly' } }, token)
  await call(api.endOwnSubscription, { body: null }, token)
  expect(await rowOf(started, reader.email)).toMatchObject({ state: 'active', rhythm: 'each' })
  // The emails don't reveal it either, and they stay.
  const kinds = async () => (await mailsTo(reader.email)).map(({ kind }) => kind)
  await sendMail(db, services.keys, { email: reader.email, language: 'en' }, 'newsletter-already', {
    link: 'x',
  })
  const { body } = await call(api.exportMember, {}, token)
  expect(JSON.stringify(body)).not.toContain('newsletter-already')
  await call(api.eraseMember, { body: { current: stranger.password } }, token)
  expect(await kinds()).toContain('newsletter-already')
  expect(await rowOf(started, reader.email)).toMatchObject({ state: 'active' })
})

test('an account’s subscription follows its address', async () => {
  const member = await aSignedInMember(started)
  const token = { token: member.token }
  const proved = (email: string) =>
    db
      .updateTable('member')
      .set({ address_proved_at: new Date(), email })
      .where('id', '=', member.id)
      .execute()
  await proved(member.email)
  await call(api.saveOwnSubscription, { body: choice() }, token)
  const moved = anEmail()
  await proved(moved)
  await cleanUp(services)
  expect(await rowOf(started, member.email)).toBeUndefined()
  expect(await rowOf(started, moved)).toMatchObject({
    state: 'active',
    member_id: member.id,
    is_moved: false,
  })
  // If the new address already has its own subscription, only one remains.
  const own = await aReader(started)
  await proved(own.email)
  await cleanUp(services)
  expect(await rowOf(started, moved)).toBeUndefined()
  expect(await rowOf(started, own.email)).toMatchObject({ state: 'active', member_id: null })
})

test('neither a stranger’s request nor an ended subscription blocks an account’s new address', async () => {
  const proved = (id: string, email: string) =>
    db.updateTable('member').set({ address_proved_at: new Date(), email }).where('id', '=', id).execute()
  const member = await aSignedInMember(started)
  await proved(member.id, member.email)
  await call(api.saveOwnSubscription, { body: choice() }, { token: member.token })
  const typed = anEmail()
  await subscribe(started, typed)
  await proved(member.id, typed)
  await cleanUp(services)
  expect(await rowOf(started, member.email)).toBeUndefined()
  expect(await rowOf(started, typed)).toMatchObject({ state: 'active', member_id: member.id })
  const left = await aReader(started)
  await call(api.unsubscribeFromNews, { body: { token: left.token } }, { ip: anIp() })
  await proved(member.id, left.email)
  await cleanUp(services)
  expect(await rowOf(started, typed)).toBeUndefined()
  expect(await rowOf(started, left.email)).toMatchObject({ state: 'active', member_id: member.id })
  // An ended subscription does not replace one that awaits confirmation.
  await call(api.endOwnSubscription, { body: null }, { token: member.token })
  const asks = anEmail()
  await subscribe(started, asks)
  await proved(member.id, asks)
  await cleanUp(services)
  expect(await rowOf(started, asks)).toMatchObject({ state: 'pending', member_id: null })
})
