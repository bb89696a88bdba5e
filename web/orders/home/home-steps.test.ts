import { expect, test } from 'vitest'
import type { MemberHome, OpenOrder } from '#contract/money/member-home.ts'
import { viewOf } from './home-steps.ts'

const fresh: MemberHome = {
  email: 'confirmed',
  hasSecondFactor: false,
  identity: { status: 'none', applicationId: null, isFinal: false, usualHours: null },
  sale: { isOpen: true, opensAt: null, closesAt: null },
  hasOrder: false,
  orderWithoutAddress: null,
  openOrders: [],
  openWithdrawals: [],
  unread: 0,
  displayRates: [],
}
const identityIs = (status: MemberHome['identity']['status']) => ({
  identity: { ...fresh.identity, status },
})
const settled: Partial<MemberHome> = { hasSecondFactor: true, ...identityIs('approved'), hasOrder: true }
const unpaid: OpenOrder = { id: 'o1', reference: 'R', state: 'pay', payBefore: null }
const view = (fields: Partial<MemberHome> = {}, isStaff = false) =>
  viewOf({ ...fresh, ...fields }, { isStaff })
const step = (name: string) => ({ kind: 'step', step: name })

test.each<[string, Partial<MemberHome>, string | null]>([
  ['confirming the email comes first', { email: 'unconfirmed' }, 'email'],
  ['fixing a refusing mailbox comes first', { ...settled, email: 'refused' }, 'email'],
  ['the identity comes after the email', {}, 'identity'],
  ['a request from the reviewers must be answered', identityIs('more_info'), 'identity'],
  ['a rejected member can apply again', identityIs('rejected'), 'identity'],
  ['an expired verification must be renewed', { ...settled, ...identityIs('expired') }, 'identity'],
  ['the second factor is next during the review', identityIs('in_review'), 'factor'],
  [
    'nothing is next during the review if the second factor is set up',
    { ...identityIs('submitted'), hasSecondFactor: true },
    null,
  ],
  ['the order comes after the second factor', { ...settled, hasOrder: false }, 'order'],
  [
    'the order isn’t next while the sale is closed',
    { ...settled, hasOrder: false, sale: { ...fresh.sale, isOpen: false } },
    null,
  ],
  ['a missing token address is next', { ...settled, orderWithoutAddress: 'o1' }, 'address'],
  ['nothing is next once every step is done', settled, null],
])('%s', (_, fields, next) => {
  expect(view(fields).next).toEqual(next === null ? null : step(next))
})

test.each(['pay', 'rest', 'dropped'] as const)('paying for an order comes before all steps: %s', (state) => {
  expect(view({ openOrders: [{ ...unpaid, state }] }).next).toEqual({ kind: 'pay', orderId: 'o1' })
})

test.each(['overdue', 'confirm', 'verify', 'unpayable'] as const)(
  'an order that doesn’t need the member isn’t the next step: %s',
  (state) => {
    expect(view({ ...settled, openOrders: [{ ...unpaid, state }] }).next).toBeNull()
  },
)

test('entering a missing refund address is the next step', () => {
  const withdrawal = {
    orderId: 'o2',
    reference: 'R',
    isAccepted: true,
    refundBefore: '',
    isAddressMissing: true,
  }
  expect(view({ ...settled, openWithdrawals: [withdrawal] }).next).toEqual({ kind: 'refund', orderId: 'o2' })
})

test('each step comes after the step that it requires', () => {
  expect(view({ email: 'unconfirmed' }).steps).toMatchObject({
    email: 'open',
    identity: 'later',
    order: 'later',
    address: 'later',
  })
  expect(view().steps).toMatchObject({ email: 'done', identity: 'open', order: 'later' })
  expect(view({ sale: { ...fresh.sale, isOpen: false } }).steps.order).toBe('closed')
})

test('the checklist disappears once every available step is done', () => {
  expect(view().shows).toBe('checklist')
  expect(view(settled).shows).toBe('settled')
  const closed = { ...fresh.sale, isOpen: false }
  expect(view({ ...settled, hasOrder: false, sale: closed }).shows).toBe('settled')
  expect(view({ ...settled, hasOrder: false, hasSecondFactor: false, sale: closed }).shows).toBe('checklist')
})

test('staff, and members who can never order, see no steps', () => {
  expect(view({}, true)).toMatchObject({ shows: 'none', next: null })
  expect(view({ openOrders: [unpaid] }, true).next).toEqual({ kind: 'pay', orderId: 'o1' })
  const final = view({ identity: { ...fresh.identity, status: 'rejected', isFinal: true } })
  expect(final).toMatchObject({ shows: 'none', next: null })
})
