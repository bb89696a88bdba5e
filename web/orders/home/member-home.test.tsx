// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readMemberHome, type MemberHome } from '#contract/money/member-home.ts'
import { findOrders } from '#contract/money/orders.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing, settledHome } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { ticker } from '#content/brand.json'
import { currentSession } from '../../kernel/session/session.ts'

const t = wordsOf('en')
const fresh: MemberHome = {
  ...settledHome,
  hasSecondFactor: false,
  identity: { status: 'none', applicationId: null, isFinal: false, usualHours: null },
  hasOrder: false,
}
const later = '2036-11-23T08:30:00.000Z'

async function opened(
  home: Partial<MemberHome>,
  { language = 'en', ...member }: { language?: 'en' | 'cn'; manageFinance?: 2 } = {},
) {
  answering(findOrders, [])
  answering(readMemberHome, { ...fresh, ...home })
  await signedIn(member)
  await showPage('/account/account-details', language)
  await screen.findByText(wordsOf(language)('orders.empty'))
}
const list = () => within(screen.getByRole('region', { name: t('memberHome.heading') })).getByRole('list')
const current = () => document.querySelectorAll('main [aria-current="step"]')
/** Leaves out the collapsed tool for administrators. */
const primary = () =>
  [...document.querySelectorAll('main a[class*="primary"], main button[class*="primary"]')].filter(
    (each) => !each.closest('details'),
  )

test.each(['en', 'cn'] as const)('a new member sees every step and one next step: %s', async (language) => {
  const said = wordsOf(language)
  await opened({}, { language })
  const titles = ['email.done', 'identity.open', 'factor.open', 'order.open', 'address.open'] as const
  for (const title of titles) expect(screen.getByText(said(`memberHome.${title}`, { ticker }))).toBeVisible()
  expect(current()).toHaveLength(1)
  expect(current()[0]).toHaveTextContent(said('memberHome.identity.text'))
  expect(screen.getByRole('link', { name: said('memberHome.identity.go') })).toHaveAttribute('href', '/kyc')
  expect(screen.getByText(said('memberHome.order.afterIdentity'))).toBeVisible()
  // The form would refuse the member.
  expect(screen.queryByRole('link', { name: said('orders.place') })).toBeNull()
})

test('the page requests only the next step and the orders', async () => {
  await opened({})
  expect(callsOf(readMemberHome)).toHaveLength(1)
  expect(callsOf(findOrders)).toHaveLength(1)
})

test.each<[string, Partial<MemberHome>, string]>([
  ['address', { email: 'unconfirmed' }, '/account/security'],
  ['mailbox', { email: 'refused' }, '/account/user-info'],
  ['second factor', { identity: { ...fresh.identity, status: 'approved' } }, '/account/security'],
  [
    'order',
    { identity: { ...fresh.identity, status: 'approved' }, hasSecondFactor: true },
    '/account/account-details?order=new',
  ],
  ['token address', { ...settledHome, orderWithoutAddress: 'o1' }, '/account/account-details?order=o1'],
])('the only primary action leads to the next step: %s', async (_, home, href) => {
  await opened(home)
  expect(primary().map((link) => link.getAttribute('href'))).toEqual([href])
  expect(current()[0]).toContainElement(primary()[0] as HTMLElement)
})

test('announces completed steps as done, and links them to their pages', async () => {
  await opened({})
  const done = within(list()).getByText(t('memberHome.email.done'))
  expect(done).toHaveAttribute('href', '/account/security')
  expect(done.closest('p')).toHaveTextContent(t('memberHome.stateDone'))
})

test.each([
  ['submitted', null, 'memberHome.identity.review', {}],
  ['in_review', 20, 'memberHome.identity.reviewHours', { hours: 20 }],
  ['in_review', 1, 'memberHome.identity.reviewHours', { hours: 2 }],
  ['in_review', 100, 'memberHome.identity.reviewDays', { days: 5 }],
  ['more_info', null, 'memberHome.identity.moreInfo', {}],
  ['rejected', null, 'memberHome.identity.rejected', {}],
  ['expired', null, 'memberHome.identity.expired', {}],
  ['withdrawn', null, 'memberHome.identity.withdrawn', {}],
] as const)(
  'states the status of the identity verification: %s, %s hours',
  async (status, usualHours, key, values) => {
    await opened({ identity: { ...fresh.identity, status, usualHours } })
    expect(screen.getByText(t(key, values))).toBeVisible()
    // The order form and the identity page read the status from the session.
    expect(currentSession().member?.kyc).toBe(status)
  },
)

test('after a final rejection, offers a way to contact the team instead of steps', async () => {
  await opened({ identity: { status: 'rejected', applicationId: 'k1', isFinal: true, usualHours: null } })
  expect(screen.getByRole('link', { name: 'contact us' })).toHaveAttribute(
    'href',
    '/account/messages?about=identity&of=k1',
  )
  expect(screen.queryByRole('region', { name: t('memberHome.heading') })).toBeNull()
})

test('the order step says that the sale is closed, and isn’t the next step', async () => {
  const sale = { isOpen: false, opensAt: null, closesAt: null }
  await opened({ ...settledHome, hasSecondFactor: false, hasOrder: false, sale })
  expect(within(list()).getByText(t('orders.place.closedText'))).toBeVisible()
  expect(current()[0]).toHaveTextContent(t('memberHome.factor.text'))
})

test('a member who has completed every step sees one line above the orders', async () => {
  await opened(settledHome)
  expect(screen.getByText(t('memberHome.settled'))).toBeVisible()
  expect(current()).toHaveLength(0)
  expect(primary().map((link) => link.getAttribute('href'))).toEqual(['/account/account-details?order=new'])
})

test('an unpaid order is the next step, with its deadline', async () => {
  const order = { id: 'o1', reference: 'COIN-1', state: 'pay', payBefore: later } as const
  await opened({ ...settledHome, openOrders: [order] })
  expect(current()).toHaveLength(1)
  expect(current()[0]).toHaveTextContent('COIN-1')
  expect(current()[0]).toHaveTextContent('2036')
  expect(primary().map((link) => link.getAttribute('href'))).toEqual(['/account/account-details?order=o1'])
})

test.each(['rest', 'dropped', 'overdue', 'confirm', 'verify', 'unpayable'] as const)(
  'states what each order is waiting for: %s',
  async (state) => {
    await opened({ ...settledHome, openOrders: [{ id: 'o1', reference: 'COIN-1', state, payBefore: null }] })
    const running = screen.getByRole('list', { name: t('memberHome.running') })
    const said = t(`memberHome.openOrder.${state}`, { reference: 'COIN-1' }).replaceAll(/<\/?link>/g, '')
    expect(running).toHaveTextContent(said)
    expect(within(running).getByText(/COIN-1/, { selector: 'a' })).toHaveAttribute(
      'href',
      '/account/account-details?order=o1',
    )
  },
)

test('lists withdrawals and unread messages with links', async () => {
  const withdrawal = {
    orderId: 'o2',
    reference: 'COIN-2',
    isAccepted: true,
    refundBefore: later,
    isAddressMissing: false,
  }
  const lacking = { ...withdrawal, orderId: 'o3', reference: 'COIN-3', isAddressMissing: true }
  await opened({ ...settledHome, openWithdrawals: [withdrawal, lacking], unread: 3 })
  const running = screen.getByRole('list', { name: t('memberHome.running') })
  expect(running).toHaveTextContent('2036')
  expect(within(running).getByRole('link', { name: t('memberHome.withdrawal.go') })).toHaveAttribute(
    'href',
    '/account/account-details?order=o3',
  )
  expect(within(running).getByRole('link', { name: 'Read messages' })).toHaveAttribute(
    'href',
    '/account/messages',
  )
  expect(running).toHaveTextContent('3')
})

test('staff see what is in progress, but no steps', async () => {
  await opened({ unread: 1, identity: { ...fresh.identity, status: 'more_info' } }, { manageFinance: 2 })
  expect(screen.queryByRole('region', { name: t('memberHome.heading') })).toBeNull()
  expect(screen.queryByText(t('memberHome.settled'))).toBeNull()
  expect(screen.getByText(t('memberHome.identity.moreInfo'))).toBeVisible()
  expect(screen.getByRole('link', { name: t('account.console.open') })).toBeVisible()
})

test('shows the orders and the order form if the next step can’t be loaded', async () => {
  refusing(readMemberHome, 'unavailable')
  answering(findOrders, [])
  await signedIn()
  await showPage('/account/account-details')
  expect(await screen.findByText(t('orders.empty'))).toBeVisible()
  expect(screen.getByRole('link', { name: t('orders.place') })).toBeVisible()
})
