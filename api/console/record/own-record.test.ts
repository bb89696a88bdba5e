import { shownReference } from '../../platform/text/order-reference.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import { anApplication, anOrder, aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'

const started = await startApi({}, afterAll)
const { db } = started.services

const list = async ({ token }: TestMember, query: object) =>
  (await started.call(api.listRecord, { query }, { token })).body
const fileOf = async ({ token }: TestMember, query: object) =>
  String((await started.call(api.exportRecord, { query }, { token })).body)
const timelineOf = async ({ token }: TestMember, id: string) =>
  (await started.call(api.readMemberTimeline, { params: { id }, query: { limit: 100 } }, { token })).body

const write = (
  by: TestMember,
  action: AuditActionOn<'kyc' | 'order'>,
  subjectKind: 'kyc' | 'order',
  subjectId: string,
) => recordAudit(db, { actorId: by.id, action, subjectKind, subjectId, detail: { status: 'told' } })

test('administrators see neither their own identity’s review nor proposals about their orders', async () => {
  const levels = { is_write_access_admin: true, manage_finance: 2 } as const
  const subject = await aSignedInMember(started, levels)
  const colleague = await aSignedInMember(started, levels)
  const { _id: ofSubject } = await anApplication(started, subject)
  const { _id: ofColleague } = await anApplication(started, colleague)
  const order = await anOrder(started, subject.id)
  await write(colleague, 'kyc-final-proposed', 'kyc', ofSubject)
  await write(subject, 'kyc-final-proposed', 'kyc', ofColleague)
  await write(colleague, 'order-updated', 'order', order.id)
  await write(colleague, 'order-completion-proposed', 'order', order.id)
  await db
    .insertInto('order_step')
    .values({ order_id: order.id, kind: 'completion_proposed', by_member_id: colleague.id })
    .execute()

  const seenBy = async (by: TestMember) =>
    (await list(by, { limit: 100 })).map(({ action, subject }) => `${action} ${subject.id}`)
  const ofOwn = [`kyc-final-proposed ${ofSubject}`, `order-completion-proposed ${order.id}`]
  expect(await seenBy(colleague)).toEqual(expect.arrayContaining(ofOwn))
  const seen = await seenBy(subject)
  for (const entry of ofOwn) expect(seen).not.toContain(entry)
  expect(seen).toEqual(
    expect.arrayContaining([`kyc-final-proposed ${ofColleague}`, `order-updated ${order.id}`]),
  )
  for (const query of [{ subject: ofSubject }, { kind: 'kyc', actor: colleague.id }])
    expect(await list(subject, query)).toEqual([])
  // Listings have no subject, because they are not about a single person.
  await started.call(api.findKyc, { body: {} }, { token: colleague.token })
  expect((await list(subject, { action: 'kyc-listed' })).length).toBe(1)

  await db.updateTable('session').set({ proved_at: new Date() }).execute()
  const file = await fileOf(subject, {})
  expect(file).not.toContain(ofSubject)
  expect(file).not.toContain('order-completion-proposed')
  expect(file).toContain(ofColleague)

  const stepsFor = async (by: TestMember) =>
    (await timelineOf(by, subject.id)).map(({ kind, what }) => `${kind} ${what}`)
  const told = ['case submitted', 'order completion_proposed']
  expect(await stepsFor(colleague)).toEqual(expect.arrayContaining([...told, 'order placed']))
  const own = await stepsFor(subject)
  for (const step of told) expect(own).not.toContain(step)
  expect(own).toContain('order placed')
})

test('only the matching roles see the outcome of orders and cases, and sale settings', async () => {
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const finance = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 1 })
  const seller = await aSignedInMember(started, { is_write_access_admin: true, manage_coins: 2 })
  const buyer = await aSignedInMember(started)
  const { _id: application } = await anApplication(started, buyer)
  const order = await anOrder(started, buyer.id)
  await write(finance, 'order-updated', 'order', order.id)
  await write(finance, 'kyc-updated', 'kyc', application)
  const ofRecord = async (by: TestMember, subject: string) =>
    (await list(by, { subject, what: 'changes' })).map(({ action, detail, subject }) => [
      action,
      detail,
      subject.name,
    ])
  expect(await ofRecord(finance, order.id)).toEqual([
    ['order-updated', { status: 'told' }, shownReference(order.reference)],
  ])
  expect(await ofRecord(admin, order.id)).toEqual([['order-updated', {}, '']])
  expect(await ofRecord(finance, application)).toEqual([['kyc-updated', { status: 'told' }, '']])
  expect(await ofRecord(admin, application)).toEqual([['kyc-updated', {}, '']])
  expect(await list(finance, { subject: order.reference })).toHaveLength(1)
  expect(await list(admin, { subject: order.reference })).toEqual([])
  const file = await fileOf(admin, { subject: order.id })
  expect(file).toContain('order-updated')
  expect(file).not.toContain('told')
  expect(file).not.toContain(order.reference)

  const change = (rate: string) => {
    const { payMethods, ...rest } = saleSettings()
    const body = { ...rest, payMethods: payMethods.map((method) => ({ ...method, rate })) }
    return started.call(api.updateSaleSettings, { body }, { token: seller.token })
  }
  await change('10')
  await change('12')
  const changesFor = async (by: TestMember) => (await list(by, { action: 'sale-updated' }))[0]!.changes
  expect((await changesFor(seller)).length).toBeGreaterThan(0)
  expect(await changesFor(admin)).toEqual([])
})

test('the timeline hides emails about money or identity from those who cannot see them', async () => {
  const clerk = await aSignedInMember(started, { manage_employee: 1 })
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const member = await aSignedInMember(started)
  await anApplication(started, member)
  const mailsFor = async (by: TestMember) =>
    (await timelineOf(by, member.id)).filter(({ kind }) => kind === 'mail').map(({ what }) => what)
  expect(await mailsFor(admin)).toEqual([expect.stringMatching(/^kyc-/)])
  expect(await mailsFor(clerk)).toEqual([])
})
