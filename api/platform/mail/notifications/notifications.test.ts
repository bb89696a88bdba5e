import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import texts from '#content/emails/en.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import {
  notificationDays,
  type NotificationArea,
  type OptionalEmailArea,
} from '#contract/platform/notifications.ts'
import { eraseData } from '#api/people/privacy/erase-data.ts'
import { lockMember } from '#api/people/members/member.queries.ts'
import { modules } from '#api/app.ts'
import { anApplication, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aConversation, deskOf } from '#tests/conversations.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startAnotherInstance, startApi } from '#tests/setup/start-api.ts'
import { transaction, type Tx } from '../../db/database.ts'
import { mailKinds, mailRuleOf, optionalAreaOf, type MailKind } from '../mail-kinds.ts'
import { sendMail } from '../send-mail.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const { db, keys } = services

type By = Pick<TestMember, 'token'>
const list = async ({ token }: By, area?: NotificationArea, language = 'en') =>
  (
    await call(
      api.listNotifications,
      { query: area ? { area } : {} },
      { token, headers: { 'accept-language': language } },
    )
  ).body
const unreadOf = async ({ token }: By) =>
  (await call(api.countUnreadNotifications, {}, { token })).body.unread
const markRead = ({ token }: By, ids: string[]) =>
  call(api.markNotificationsRead, { body: { ids } }, { token })
const choose = ({ token }: By, area: OptionalEmailArea, isOn: boolean) =>
  call(api.saveEmailChoice, { body: { area, isOn } }, { token })
const kindsTo = async ({ email }: Pick<TestMember, 'email'>) => (await mailsTo(email)).map(({ kind }) => kind)
const setPhrase = ({ token }: By, phrase: string) =>
  call(api.setAntiPhishingPhrase, { body: { phrase } }, { token })
const cancel = (id: string, { token }: By, on = started) =>
  on.call(api.cancelOrder, { params: { id }, body: null }, { token })

const notifyOfDetectedPayment = ({ email }: Pick<TestMember, 'email'>) =>
  sendMail(db, keys, { email, language: 'en' }, 'order-payment-seen', {
    link: 'https://coin.example/account/account-details',
    reference: 'A-1',
    transaction: 'abc',
  })

test('a notification in each area repeats the email once, and leads to the page where the member can act', async () => {
  const member = await aBuyer(started)
  const desk = deskOf(started, await aSignedInMember(started, { manage_employee: 2, manage_finance: 2 }))
  const order = await anOrderOf(started, member)
  const { id, updatedAt, of } = await aConversation(started, member, 'order')
  await desk.answer(id, updatedAt)
  await setPhrase(member, 'Two grey herons')
  const applicant = await aSignedInMember(started)
  await anApplication(started, applicant)

  const subjects = (await mailsTo(member.email)).map(({ subject }) => subject)
  const rows = await list(member)
  expect(rows.map(({ text }) => text)).toEqual(subjects.toReversed())
  expect(rows).toMatchObject([
    { area: 'security', path: '/account/user-info#phrase', isUnread: true },
    { area: 'messages', path: `/account/messages?about=order&of=${of}` },
    { area: 'orders', path: `/account/account-details?order=${order._id}` },
  ])
  expect(rows[2]!.text).toContain(order.reference)
  expect(await list(applicant)).toMatchObject([{ area: 'identity', path: '/kyc' }])
  expect((await list(member, 'orders')).map(({ area }) => area)).toEqual(['orders'])
  expect((await list(member, undefined, 'zh-CN'))[2]!.text).toMatch(/\p{Script=Han}/u)
  expect(await unreadOf(member)).toBe(3)
})

test('an email about a changed address goes to the old address, and its notification to the member', async () => {
  const member = await aSignedInMember(started)
  await sendMail(db, keys, { id: member.id, email: 'former@example.org', language: 'en' }, 'email-changed')
  expect(await list(member)).toMatchObject([{ area: 'security', path: '/account/user-info' }])
})

test('a rolled-back transaction leaves no notification, and two instances write only one', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  const failing = transaction(db, async (db) => {
    await sendMail(db, keys, { email: member.email, language: 'en' }, 'phrase-set', {
      resetLink: 'https://coin.example',
    })
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await list(member, 'security')).toEqual([])
  const other = await startAnotherInstance(started)
  await Promise.all([cancel(order._id, member), cancel(order._id, member, other)])
  expect(await list(member, 'orders')).toHaveLength(2)
  expect((await other.call(api.countUnreadNotifications, {}, { token: member.token })).body.unread).toBe(2)
})

test('turning off emails for an area leaves its notifications and all security emails', async () => {
  const member = await aBuyer(started)
  expect((await choose(member, 'orders', false)).body).toEqual({
    identity: true,
    orders: false,
    messages: true,
  })
  await anOrderOf(started, member)
  await notifyOfDetectedPayment(member)
  await setPhrase(member, 'Two grey herons')
  // The confirmation of the order is required by law.
  expect(await kindsTo(member)).toEqual(['order-placed', 'phrase-set'])
  expect((await list(member)).map(({ area }) => area)).toEqual(['security', 'orders', 'orders'])

  await choose(member, 'orders', true)
  await notifyOfDetectedPayment(member)
  expect((await kindsTo(member)).slice(2)).toEqual(['order-payment-seen'])
})

test('someone who turns off emails about orders can’t cancel an order unnoticed', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await choose(member, 'orders', false)
  await cancel(order._id, member)
  expect(await kindsTo(member)).toEqual(['order-placed', 'order-withdrawn'])
})

test('members choose only for themselves, each change is recorded once, and security can’t be turned off', async () => {
  const member = await aSignedInMember(started)
  const other = await aSignedInMember(started)
  await choose(member, 'messages', false)
  await choose(member, 'messages', false)
  await choose(member, 'messages', true)
  const entries = await db
    .selectFrom('audit_entry')
    .select(['action', 'detail'])
    .where('subject_id', '=', member.id)
    .orderBy('id')
    .execute()
  expect(entries).toMatchObject([
    { action: 'emails-turned-off', detail: { fields: ['messages'] } },
    { action: 'emails-turned-on', detail: { fields: ['messages'] } },
  ])
  await choose(member, 'identity', false)
  const read = await call(api.readEmailChoices, {}, { token: other.token })
  expect(read.body).toEqual({ identity: true, orders: true, messages: true })
  const refused = await choose(member, 'security' as OptionalEmailArea, false)
  expect(refused.status).toBe(400)
})

test('only emails that can be turned off link to the email settings', async () => {
  const member = await aBuyer(started)
  await anOrderOf(started, member)
  await setPhrase(member, 'Two grey herons')
  const [ofOrder, ofSecurity] = await mailsTo(member.email)
  const link = `${services.config.publicUrl.origin}/account/notifications?show=emails`
  expect(ofOrder!.text).toContain(`Choose what we email you about: ${link}`)
  expect(ofOrder!.html).toContain(`href="${link}"`)
  expect(ofSecurity!.text).not.toContain('Choose what')
})

test('no one can read or mark another member’s notifications, even together with their own', async () => {
  const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
  await setPhrase(member, 'Two grey herons')
  await setPhrase(other, 'Three grey herons')
  const [[own], [foreign]] = [await list(member), await list(other)]
  const refused = await markRead(member, [own!.id, foreign!.id])
  expect(refused.problem.code).toBe('not_found')
  expect([await unreadOf(member), await unreadOf(other)]).toEqual([1, 1])
  expect(await markRead(member, [own!.id, own!.id])).toMatchObject({ status: 200 })
  expect([await unreadOf(member), await unreadOf(other)]).toEqual([0, 1])
})

test('marking all as read leaves notifications unread that arrived later or were committed late', async () => {
  const member = await aSignedInMember(started)
  const notify = (db: Tx) =>
    sendMail(db, keys, { email: member.email, language: 'en' }, 'phrase-changed', {
      resetLink: 'https://coin.example',
    })
  const unread = async () => (await list(member)).map(({ isUnread }) => isUnread)
  for (let n = 0; n < 2; n += 1) await transaction(db, notify)
  const listed = await transaction(db, async (late) => {
    await notify(late)
    await transaction(db, notify)
    return (await call(api.listNotifications, { query: { limit: 2 } }, { token: member.token })).body
  })
  await markRead(
    member,
    listed.map(({ id }) => id),
  )
  expect(await unread()).toEqual([false, true, false, true])
  await transaction(db, notify)
  const until = listed.at(-1)!.at
  const marked = await call(api.markAllNotificationsRead, { body: { until } }, { token: member.token })
  expect(marked.body).toEqual({ read: true })
  expect(await unread()).toEqual([true, false, true, false, false])
})

test('the list is paginated', async () => {
  const member = await aSignedInMember(started)
  for (const phrase of ['First', 'Second', 'Third']) await setPhrase(member, phrase)
  const all = await list(member)
  const first = await call(api.listNotifications, { query: { limit: 2 } }, { token: member.token })
  const after = new URL(/<([^>]+)>/.exec(String(first.headers['link']))![1]!, 'https://coin.example')
  const query = { limit: 2, after: after.searchParams.get('after')! }
  const second = await call(api.listNotifications, { query }, { token: member.token })
  expect([...first.body, ...second.body]).toEqual(all)
  expect(second.headers['link']).toBeUndefined()
})

test('reading a conversation marks its notification as read', async () => {
  const member = await aSignedInMember(started)
  const desk = deskOf(started, await aSignedInMember(started, { manage_employee: 2 }))
  const { id, updatedAt } = await aConversation(started, member)
  await desk.answer(id, updatedAt)
  expect(await unreadOf(member)).toBe(1)
  await call(api.markConversationRead, { params: { id }, body: null }, { token: member.token })
  expect(await unreadOf(member)).toBe(0)
})

test('the export contains notifications and email choices, and expired notifications are deleted', async () => {
  const member = await aSignedInMember(started)
  await setPhrase(member, 'First')
  await setPhrase(member, 'Second')
  await choose(member, 'orders', false)
  const [kept, old] = await list(member)
  const age = (id: string, days: number) =>
    db
      .updateTable('member_notification')
      .set({ created_at: new Date(Date.now() - days * DAY) })
      .where('id', '=', id)
      .execute()
  await age(kept!.id, notificationDays - 1)
  await age(old!.id, notificationDays + 1)
  await cleanUp(services)
  expect((await list(member)).map(({ id }) => id)).toEqual([kept!.id])
  const { body } = await call(api.exportMember, { query: { format: 'json' } }, { token: member.token })
  expect(body).toMatchObject({
    accountNotifications: [{ kind: 'phrase-changed', area: 'security', seenAt: null }, expect.anything()],
    emailsOff: [{ area: 'orders' }],
  })
})

test('an erasure deletes notifications, and none is written afterward or at the same time', async () => {
  const member = await aSignedInMember(started)
  await setPhrase(member, 'First')
  await choose(member, 'orders', false)
  const count = async () =>
    (
      await Promise.all(
        (['member_notification', 'muted_email_area'] as const).map((table) =>
          db.selectFrom(table).select('area').where('member_id', '=', member.id).execute(),
        ),
      )
    ).map(({ length }) => length)
  expect(await count()).toEqual([1, 1])
  let sent: Promise<void> | undefined
  await transaction(db, async (tx) => {
    const row = (await lockMember(tx, member.id))!
    sent = transaction(db, (db) =>
      sendMail(db, keys, row, 'kyc-expired', { link: 'https://coin.example/kyc' }),
    )
    await expect.poll(() => isWaiting()).toBe(true)
    await eraseData(tx, modules, row, { keys, isRepeated: false })
  })
  await sent
  expect(await count()).toEqual([0, 0])
})

async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%member_notification%'`.execute(
    db,
  )
  return rows.length > 0
}

test('only the listed emails are always sent, each with a reason, and none about messages or security', () => {
  const always = (Object.keys(mailKinds) as MailKind[]).filter((kind) => mailRuleOf(kind)?.always)
  expect(new Set(always.map((kind) => mailRuleOf(kind)?.area))).toEqual(new Set(['identity', 'orders']))
  expect(always.length).toBeLessThan(36)
  const withCode = (Object.keys(mailKinds) as MailKind[]).filter((kind) => mailRuleOf(kind)?.expiresAfter)
  expect(withCode.filter((kind) => mailRuleOf(kind)?.area)).toEqual([])
})

test('an email that says not to pay or what to do about someone else’s action can’t be turned off', () => {
  const warning = /don’t pay|didn’t|don’t recognize/i
  const warnings = (Object.keys(mailKinds) as MailKind[]).filter(
    (kind) => optionalAreaOf(kind) && warning.test(JSON.stringify(texts[kind])),
  )
  expect(warnings).toContain('order-withdrawn')
  expect(warnings.filter((kind) => !mailRuleOf(kind)?.always)).toEqual([])
})
