import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { attentionItems, type AttentionItem } from '#contract/console/console-home.ts'
import { DAY } from '#contract/platform/durations.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { findNotifications, saveSeen } from './notification.queries.ts'
import { sendDigests } from './send-digests.ts'

const as = ({ token }: TestMember) => ({ token })

async function anOfficer() {
  const started = await startApi()
  return { started, officer: await aSignedInMember(started, { manage_finance: 2 }) }
}

async function aDisputedOrder(started: TestApi): Promise<string> {
  const { id } = await anOrder(started, (await aSignedInMember(started)).id, { disputed: true })
  return id
}

const waits = async (started: TestApi, by: TestMember, wanted: AttentionItem) =>
  (await started.call(api.listNeedsAttention, {}, as(by))).body.find(({ what }) => what === wanted)

const save = (started: TestApi, by: TestMember, muted: AttentionItem[], hasDigest = false) =>
  started.call(api.saveNotificationSettings, { body: { muted, hasDigest } }, as(by))

test('an item is new until the notifications are opened, also if others were handled meanwhile', async () => {
  const { started, officer } = await anOfficer()
  const { db } = started.services
  const isNew = async () => (await waits(started, officer, 'orders_disputed'))?.isNew
  const see = () => started.call(api.markNotificationsSeen, { body: null }, as(officer))
  expect(await isNew()).toBe(false)
  const first = await aDisputedOrder(started)
  expect(await isNew()).toBe(true)
  expect((await see()).body).toEqual({ seen: true })
  expect(await isNew()).toBe(false)
  await db.updateTable('token_order').set({ is_disputed: false }).where('id', '=', first).execute()
  expect(await isNew()).toBe(false)
  await aDisputedOrder(started)
  expect(await isNew()).toBe(true)
})

test('counts that another tab has replaced by newer ones are not saved', async () => {
  const { started, officer } = await anOfficer()
  const { db } = started.services
  const isNew = async () => (await waits(started, officer, 'orders_disputed'))?.isNew
  const first = await aDisputedOrder(started)
  await aDisputedOrder(started)
  await started.call(api.markNotificationsSeen, { body: null }, as(officer))
  await db.updateTable('token_order').set({ is_disputed: false }).where('id', '=', first).execute()
  const { muted, readAt, seen } = await findNotifications(db, officer.id)
  expect([muted, seen['orders_disputed']]).toEqual([[], 2])
  // One tab has counted one order, and another tab shows that there are two again before the first one saves.
  const slowTab = { seen: { ...seen, orders_disputed: 1 }, seenAt: readAt }
  await aDisputedOrder(started)
  await started.call(api.markNotificationsSeen, { body: null }, as(officer))
  await saveSeen(db, officer.id, slowTab)
  expect(await isNew()).toBe(false)
  await aDisputedOrder(started)
  expect(await isNew()).toBe(true)
})

test('a kind can be muted, each person for themselves, and unknown kinds are rejected', async () => {
  const { started, officer } = await anOfficer()
  const colleague = await aSignedInMember(started, { manage_finance: 2 })
  await aDisputedOrder(started)
  expect((await started.call(api.readNotificationSettings, {}, as(officer))).body).toEqual({
    muted: [],
    hasDigest: false,
  })
  const saved = await save(started, officer, ['orders_disputed', 'orders_disputed', 'mails_failed'])
  expect(saved.body).toEqual({ muted: ['orders_disputed', 'mails_failed'], hasDigest: false })
  expect(await waits(started, officer, 'orders_disputed')).toMatchObject({ count: 1, isMuted: true })
  expect(await waits(started, colleague, 'orders_disputed')).toMatchObject({ count: 1, isMuted: false })
  const refused = await save(started, officer, ['nothing' as AttentionItem])
  expect(refused.status).toBe(400)
  expect((await save(started, officer, [...attentionItems, 'orders_late'])).status).toBe(400)
})

/** Makes the email due, as if the last one had been sent two days ago. */
async function letDigestBeDue(started: TestApi, { id }: TestMember): Promise<void> {
  const { db } = started.services
  await db
    .updateTable('staff_notification')
    .set({ digest_sent_on: new Date(Date.now() - 2 * DAY) })
    .where('member_id', '=', id)
    .execute()
}

test('the daily email lists what waits, in the reader’s language, once, and without muted kinds', async () => {
  const { started, officer } = await anOfficer()
  const { services } = started
  await services.db.updateTable('member').set({ language: 'cn' }).where('id', '=', officer.id).execute()
  await save(started, officer, ['orders_late'], true)
  await aDisputedOrder(started)
  await anOrder(started, (await aSignedInMember(started)).id, { status: 'cancelled', reportedLate: true })
  const digests = async () =>
    (await started.mailsTo(officer.email)).filter(({ kind }) => kind === 'staff-digest')
  await sendDigests(services)
  // The first one comes the day after it was chosen.
  expect(await digests()).toEqual([])
  await letDigestBeDue(started, officer)
  await Promise.all([sendDigests(services), sendDigests(services)])
  const sent = await digests()
  expect(sent).toHaveLength(1)
  const [{ text } = { text: '' }] = sent
  expect(text).toContain(services.content.words('cn', 'console-home')!['consoleHome.waiting.orders_disputed'])
  expect(text).not.toContain(services.content.words('cn', 'console-home')!['consoleHome.waiting.orders_late'])
  await sendDigests(services)
  expect(await digests()).toHaveLength(1)
})

test('no email is sent if nothing waits, or after the rights are gone', async () => {
  const { started, officer } = await anOfficer()
  const { services } = started
  await save(started, officer, [], true)
  await letDigestBeDue(started, officer)
  await sendDigests(services)
  await aDisputedOrder(started)
  await letDigestBeDue(started, officer)
  await services.db.updateTable('member').set({ manage_finance: 0 }).where('id', '=', officer.id).execute()
  await sendDigests(services)
  expect((await started.mailsTo(officer.email)).map(({ kind }) => kind)).not.toContain('staff-digest')
})
