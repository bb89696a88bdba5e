import { shownReference } from '../../platform/text/order-reference.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { webhookBody, type WebhookEventType } from '#contract/integrations/webhook-events.ts'
import {
  anApplication,
  aMember,
  anEmail,
  anOrder,
  aPost,
  aSignedInMember,
  goodPassword,
  signUp,
} from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aNewsroom, inTime } from '#tests/newsroom.ts'
import { updatePaid } from '#tests/orders.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aWebhook, deliveriesOf } from '#tests/webhooks.ts'
import { publishWhatIsDue } from '../../publishing/announcements/newsroom/publish-worker.ts'
import { transaction } from '../../platform/db/database.ts'
import { recordEvent } from '../../platform/outbox/event.queries.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const admin = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 1 })
const finance = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const { webhook } = await aWebhook(started, admin, 'https://hooks.example.com/in')

/** Returns the deliveries about this subject, oldest first, after checking that each has the documented form. */
async function toldOf(subjectId: string) {
  const rows = (await deliveriesOf(started, admin, webhook.id)).filter((row) => row.subjectId === subjectId)
  return rows.toReversed().map((row) => {
    const body = JSON.parse(row.body) as { type: WebhookEventType; data: Record<string, unknown> }
    expect(webhookBody(body.type).parse(body)).toEqual(body)
    expect(row).toMatchObject({ state: 'waiting', attempts: 0 })
    return { type: body.type, ...body.data }
  })
}

test('sends one event for a completed order: by finance, by file, by two people, or entered', async () => {
  const buyer = await aSignedInMember(started)
  const by = { token: finance.token }
  const complete = (id: string, token = finance.token) =>
    updatePaid(started, { _id: id, status: 'completed' }, { token })
  const expected = (orderId: string) => ({
    type: 'order.completed',
    orderId,
    memberId: buyer.id,
    status: 'completed',
    payMethod: 'ETH',
    amount: '1.5',
    currency: null,
    fabQty: '5',
    completedAt: expect.any(String) as string,
  })

  const one = await anOrder(started, buyer.id, { fabQty: '5' })
  expect((await complete(one.id)).status).toBe(200)
  expect(await toldOf(one.id)).toEqual([expected(one.id)])
  await complete(one.id)
  expect(await toldOf(one.id)).toHaveLength(1)

  const imported = await anOrder(started, buyer.id, { fabQty: '5' })
  const csv = `reference,txId,amount,date,complete\r\n${shownReference(imported.reference)},0x${'7'.repeat(64)},1.5,${new Date().toISOString().slice(0, 10)},yes`
  const file = Buffer.from(csv).toString('base64')
  const { lines } = (await call(api.importOrderPayments, { body: { file } }, by)).body
  expect(await toldOf(imported.id)).toEqual([])
  const seen = lines.map(({ id, updatedAt }) => ({ id, updatedAt }))
  await call(api.importOrderPayments, { body: { file, seen } }, by)
  expect(await toldOf(imported.id)).toEqual([expected(imported.id)])

  services.config.twoPersonsFrom = '1'
  const large = await anOrder(started, buyer.id, { fabQty: '5' })
  await complete(large.id)
  expect(await toldOf(large.id)).toEqual([])
  await complete(large.id, colleague.token)
  expect(await toldOf(large.id)).toEqual([expected(large.id)])
  services.config.twoPersonsFrom = null

  const body = {
    memberId: buyer.id,
    payMethod: 'ETH',
    amount: 1.5,
    fabQty: 5,
    status: 'completed',
    reason: 'Paid before.',
  }
  const entered = await call(api.createOrder, { body }, by)
  expect(await toldOf(entered.body._id)).toEqual([expected(entered.body._id)])

  const cancelled = await anOrder(started, buyer.id)
  await call(api.updateOrder, { body: { _id: cancelled.id, status: 'cancelled' } }, by)
  expect(await toldOf(cancelled.id)).toEqual([])
})

test('sends an event for a corrected completed order, with the names of the fields but no address', async () => {
  const buyer = await aSignedInMember(started)
  const { id } = await anOrder(started, buyer.id, { fabQty: '5' })
  const reason = 'As the member wrote.'
  const correct = (change: object, { token } = finance) =>
    updatePaid(started, { _id: id, ...change, reason }, { token })
  await correct({ fabQty: '6' })
  await correct({ status: 'completed' })
  const completed = { type: 'order.completed', orderId: id }
  for (const change of [{ fabQty: '4', fabAddress: ownAddress }, { email: 'new@example.org' }]) {
    await correct(change)
    expect((await toldOf(id)).length).toBeLessThan(3)
    await correct(change, colleague)
  }
  expect(await toldOf(id)).toEqual([
    expect.objectContaining(completed),
    {
      type: 'order.corrected',
      orderId: id,
      memberId: buyer.id,
      fields: ['fabQty', 'fabAddress'],
      fabQty: '4',
      correctedAt: expect.any(String) as string,
    },
  ])
})

test('sends an event for each decision on a case, including expiry, and for no other step', async () => {
  const { db } = services
  const applicant = await aSignedInMember(started)
  const { _id } = await anApplication(started, applicant)
  const decide = (status: 'in_review' | 'more_info' | 'rejected') =>
    call(
      api.updateKyc,
      { body: { id: _id, status, reason: 'A sample reason, which nobody outside reads' } },
      { token: finance.token },
    )
  await decide('in_review')
  expect(await toldOf(_id)).toEqual([])
  await decide('more_info')
  const told = { type: 'case.decided', caseId: _id, memberId: applicant.id }
  const times = { decidedAt: expect.any(String) as string }
  expect(await toldOf(_id)).toEqual([{ ...told, status: 'more_info', previousStatus: 'in_review', ...times }])
  expect(JSON.stringify(await toldOf(_id))).not.toContain('sample reason')

  const verified = await aSignedInMember(started)
  const approved = await anApplication(started, verified, 'approved')
  const long = new Date(Date.now() - 4000 * DAY)
  await db
    .updateTable('kyc_application')
    .set({ decided_at: long, created_at: long })
    .where('id', '=', approved._id)
    .execute()
  await cleanUp(services)
  expect(await toldOf(approved._id)).toMatchObject([{ status: 'expired', previousStatus: 'approved' }])
})

test('sends an event whenever a post becomes public: at once, on schedule, or again; not for edits', async () => {
  const newsroom = await aNewsroom(started)
  const { _id, slug } = await newsroom.create()
  const told = { type: 'post.published', postId: _id, slug, language: 'en' }
  expect(await toldOf(_id)).toMatchObject([{ ...told, version: 1 }])
  await newsroom.call(api.updateAnnouncement, {
    body: { _id, ...aPost({ title: 'A new release, corrected' }) },
  })
  expect(await toldOf(_id)).toHaveLength(1)
  await newsroom.remove(_id)
  await newsroom.call(api.restorePost, { params: { id: _id }, body: null })
  expect(await toldOf(_id)).toMatchObject([told, { ...told, version: 2 }])

  const later = await newsroom.create({ status: 'scheduled', ...inTime(DAY) })
  expect(await toldOf(later._id)).toEqual([])
  await services.db
    .updateTable('announcement')
    .set({ publish_at: new Date(Date.now() - 1000) })
    .where('id', '=', later._id)
    .execute()
  await publishWhatIsDue(services)
  expect(await toldOf(later._id)).toMatchObject([{ type: 'post.published', postId: later._id }])
  await publishWhatIsDue(services)
  expect(await toldOf(later._id)).toHaveLength(1)
})

test('sends one event when an account is first active: by code, reset, or staff', async () => {
  const activated = await aMember(started)
  expect(await toldOf(activated.id)).toEqual([
    { type: 'member.activated', memberId: activated.id, activatedAt: expect.any(String) as string },
  ])

  const email = anEmail()
  await signUp(started, email)
  await call(api.requestPasswordReset, { body: { email } })
  const mail = (await started.mailsTo(email)).at(-1)!
  const [, memberId = '', code = ''] = /change-password\/([^/\s]+)\/(\S+)/.exec(mail.text) ?? []
  const reset = { id: memberId, pwdresetcode: code, passwd: goodPassword }
  expect((await call(api.executePasswordReset, { body: reset })).status).toBe(200)
  expect(await toldOf(memberId)).toMatchObject([{ type: 'member.activated', memberId }])

  const clerk = await aSignedInMember(started, { manage_employee: 2 })
  for (const active of [false, true])
    await call(
      api.setMemberActive,
      { params: { id: activated.id }, body: { active, reason: 'A sample' } },
      { token: clerk.token },
    )
  expect(await toldOf(activated.id)).toHaveLength(1)
})

test('sends no event after a rollback, and stores none without a subscriber', async () => {
  const { db } = services
  const data = { memberId: 'm1', activatedAt: new Date().toISOString() }
  const undone = transaction(db, async (db) => {
    await recordEvent(db, 'member.activated', 'rolled-back', data)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await toldOf('rolled-back')).toEqual([])
  const countEvents = async () => (await db.selectFrom('webhook_event').select('id').execute()).length
  const before = await countEvents()
  const update = { id: webhook.id, events: ['post.published' as const] }
  await call(api.updateWebhook, { body: update }, { token: admin.token })
  await transaction(db, (db) => recordEvent(db, 'member.activated', 'unasked', data))
  expect(await countEvents()).toBe(before)
})
