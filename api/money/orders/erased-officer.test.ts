import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, aSignedInMember, goodPassword } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { as } from '#tests/step-up.ts'
import { startApi, staffDecides } from '#tests/setup/start-api.ts'

/** An officer who entered a completed order, a colleague, and an administrator. */
async function aStaff() {
  const started = await startApi(staffDecides)
  await aSale(started)
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const colleague = await aSignedInMember(started, { manage_finance: 2 })
  const officer = await aSignedInMember(started, { manage_finance: 2, display_name: 'Dana' })
  const buyer = await aSignedInMember(started)
  const order = { amount: '0.01', fabQty: '10', status: 'completed', reason: 'Paid by bank transfer.' }
  const body = { memberId: buyer.id, payMethod: 'BTC', ...order }
  const entered = await started.call(api.createOrder, { body }, as(officer))
  expect(entered.status).toBe(201)
  const erase = () => started.call(api.eraseMember, { body: { current: goodPassword } }, as(officer))
  const orderId = entered.body._id
  /** How the history, the accounting file, and the audit log name the officer. */
  const names = async () => {
    const page = await started.call(api.getConsoleOrder, { params: { id: orderId } }, as(colleague))
    const file = await started.call(api.exportOrderAccounts, {}, as(colleague))
    const log = await started.call(api.listRecord, { query: { subject: orderId } }, as(admin))
    const [header = '', line = ''] = Buffer.from(file.body as Uint8Array)
      .toString('utf8')
      .split('\r\n')
    return {
      history: page.body.steps.find(({ kind }) => kind === 'completed')?.by?.name,
      accounting: line.split(',')[header.split(',').indexOf('completedBy')],
      auditLog: log.body.find(({ action }) => action === 'order-created')?.actor?.name,
    }
  }
  return { started, admin, colleague, officer, buyer, erase, names }
}

test('an officer who erases their account stays named in the orders that they handled, for five years', async () => {
  const { started, officer, erase, names } = await aStaff()
  const before = await names()
  expect(before).toEqual({
    history: `Dana (${officer.email})`,
    accounting: officer.email,
    auditLog: 'Dana',
  })
  const preview = await started.call(api.previewErasure, {}, as(officer))
  expect(preview.body.kept.map(({ what }) => what)).toContain('handledOrders')
  const erased = await erase()
  expect(erased.body.kept.map(({ what }) => what)).toEqual(['handledOrders'])
  expect(await names()).toEqual(before)
  const { db } = started.services
  await sql`update member set erased_at = now() - interval '6 years' where id = ${officer.id}`.execute(db)
  await cleanUp(started.services)
  expect(JSON.stringify(await names())).not.toContain('Dana')
  expect(await db.selectFrom('order_officer').selectAll().execute()).toEqual([])
})

test('every administrator is emailed when a staff account is erased', async () => {
  const { started, admin, officer, erase } = await aStaff()
  await erase()
  const mail = (await started.mailsTo(admin.email)).find(({ kind }) => kind === 'staff-erased')
  expect(mail?.text).toContain('Dana')
  expect(mail?.text).toContain(officer.email.split('@')[0])
})

test('a member, and staff who handled no orders, leave no name behind', async () => {
  const { started, admin, buyer, colleague } = await aStaff()
  await started.call(api.listConsoleOrders, {}, as(colleague))
  for (const member of [buyer, colleague]) {
    const { body } = await started.call(api.eraseMember, { body: { current: goodPassword } }, as(member))
    expect(body.kept.map(({ what }) => what)).not.toContain('handledOrders')
  }
  expect(await started.services.db.selectFrom('order_officer').selectAll().execute()).toEqual([])
  const kinds = (await started.mailsTo(admin.email)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'staff-erased')).toHaveLength(1)
})
