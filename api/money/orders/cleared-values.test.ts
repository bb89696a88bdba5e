import { shownReference } from '../../platform/text/order-reference.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSale, aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* Values that are cleared or lowered, so that the next change looks harmless. */

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '10000', WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services, mailsTo } = started
let officer: TestMember
let colleague: TestMember
const as = ({ token }: TestMember) => ({ token })
type Change = Omit<Parameters<typeof call<typeof api.updateOrder>>[1]['body'], '_id'>
const change = (by: TestMember, _id: string, body: Change) =>
  call(api.updateOrder, { body: { _id, ...body } }, as(by))
const ok = async (by: TestMember, id: string, body: Change) => {
  const answer = await change(by, id, body)
  expect(answer.status).toBe(200)
  return answer.body
}

beforeEach(async () => {
  officer = await aSignedInMember(started, { manage_finance: 2 })
  colleague = await aSignedInMember(started, { manage_finance: 2 })
})

test('an amount due that was cleared and set again counts as changed by the officer who set it', async () => {
  const member = await aBuyer(started)
  // 0.05 BTC buy 6,000 tokens.
  const { _id: id } = await anOrderOf(started, member, 'BTC', '0.05')
  await ok(colleague, id, { amount: null, reason: 'The amount is being checked.' })
  await ok(officer, id, { amount: '0.0005', confirmsQuantity: true, reason: 'As agreed.' })
  const done = await ok(officer, id, { status: 'completed', paidAmount: '0.0005', reason: 'Paid.' })
  // 1% of the price. The same change without the colleague's step needs two persons.
  expect(done.status).toBe('pending')
})

test('a quantity that was cleared and set again counts as changed by the officer who set it', async () => {
  const member = await aBuyer(started)
  // 0.001 BTC buy 120 tokens.
  const { _id: id } = await anOrderOf(started, member, 'BTC', '0.001')
  await ok(colleague, id, { fabQty: null, reason: 'The quantity is being checked.' })
  await ok(officer, id, { fabQty: '9999', confirmsQuantity: true, reason: 'As agreed.' })
  const done = await ok(officer, id, { status: 'completed', paidAmount: '0.001', reason: 'Paid.' })
  expect(done.status).toBe('pending')
})

test('lowering the received amount of a canceled order is not unnoticed by its member', async () => {
  const member = await aBuyer(started)
  const { _id: id } = await anOrderOf(started, member, 'BTC', '0.05')
  await ok(colleague, id, { paidAmount: '0.05' })
  await ok(colleague, id, { status: 'cancelled', reason: 'The sale ended.' })
  const before = (await mailsTo(member.email)).length
  await ok(officer, id, { paidAmount: '0.0001', reason: 'x' })
  const told = (await mailsTo(member.email)).slice(before).map(({ kind }) => kind)
  expect(told).toContain('order-corrected')
})

test('one person cannot switch the price check off by removing every payment method', async () => {
  await aSale(started)
  const both = await aSignedInMember(started, { manage_finance: 2, manage_coins: 2 })
  services.config.isSaleFourEyesRequired = true
  const enter = async (body: object) => {
    const { id: memberId } = await aSignedInMember(started)
    return call(
      api.createOrder,
      {
        body: {
          memberId,
          payMethod: 'BTC',
          amount: '0.00000001',
          fabQty: '9999',
          status: 'completed',
          reason: 'Paid.',
          ...body,
        },
      },
      as(both),
    )
  }
  expect((await enter({})).problem.errors).toMatchObject([{ path: 'status', code: 'second_person' }])
  const settings = (await call(api.getSaleSettings, {}, as(both))).body
  const saved = await call(
    api.updateSaleSettings,
    {
      body: {
        isOpen: settings.isOpen,
        quoteMinutes: settings.quoteMinutes,
        opensAt: settings.opensAt,
        closesAt: settings.closesAt,
        cap: settings.cap,
        memberCap: settings.memberCap,
        payMethods: [],
        lastUpdated: settings.lastUpdated,
      },
    },
    as(both),
  )
  expect(saved.status).toBe(200)
  expect((await call(api.getSaleSettings, {}, as(both))).body.payMethods).toEqual([])
  const entered = await enter({})
  expect(entered.problem.errors).toMatchObject([{ path: 'status', code: 'second_person' }])
  await aSale(started, saleSettings())
})
void anOrder
void shownReference
