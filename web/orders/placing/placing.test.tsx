// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listKycOfMember, type KycApplication } from '#contract/people/kyc.ts'
import { createOrder } from '#contract/money/orders.ts'
import { getSale, type Sale } from '#contract/money/sale.ts'
import type { Member } from '../../kernel/session/session.ts'
import { aMember, expectAlert, missing, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { IdentityNeeded, orderDraft, type OrderDraft, PlaceOrder, QuoteOffer } from './place-order.tsx'
import { QuoteForm, type Wanted } from './quote-form.tsx'
import { ownAddress } from '#tests/own-chain.ts'

const t = wordsOf('en')
const method = (code: string, chain: string) =>
  ({
    code,
    chain,
    currency: code,
    rate: '120000',
    minAmount: '0.001',
    maxAmount: '10',
  }) as Sale['payMethods'][number]
const sale: Sale = {
  isOpen: true,
  quoteMinutes: 15,
  opensAt: null,
  closesAt: null,
  payHours: 24,
  displayRates: [],
  payMethods: [method('BTC', 'bitcoin'), method('ETH', 'ethereum')],
  round: null,
  next: null,
  isAdmitted: true,
  why: null,
}

const fabAddress = ownAddress
const address = () => screen.getByLabelText(t('orders.fabAddress'), { exact: false })
const amount = () => screen.getByLabelText(t('orders.place.amount'))
const ask = () => screen.getByRole('button', { name: t('orders.place.quote') })

test('the limits of the chosen method are shown at the amount, and the line lists what is missing', async () => {
  const asked: Wanted[] = []
  const { user } = show(
    <QuoteForm sale={sale} before={undefined} onAsk={async (wanted) => void asked.push(wanted)} />,
  )
  expect(ask()).toHaveAccessibleDescription(
    missing(t, 'orders.place.payMethod', 'orders.place.amount', 'orders.fabAddress'),
  )
  expect(amount()).toHaveAccessibleDescription(t('orders.place.amount.chooseFirst'))
  await user.selectOptions(screen.getByRole('combobox', { name: t('orders.place.payMethod') }), 'BTC')
  expect(amount()).toHaveAccessibleDescription(expect.stringContaining('0.001'))
  await user.type(amount(), '0,25')
  expect(ask()).toBeDisabled()
  await user.type(address(), fabAddress)
  await user.click(ask())
  await waitFor(() => expect(asked).toEqual([{ payMethod: 'BTC', amount: '0.25', fabAddress }]))
})

test('an address of another chain is reported at its field and disables the button', async () => {
  const { user } = show(<QuoteForm sale={sale} before={undefined} onAsk={async () => {}} />)
  await user.type(address(), '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
  await user.tab()
  await waitFor(() => expect(address()).toHaveAttribute('aria-invalid', 'true'))
  expect(ask()).toBeDisabled()
})

test('earlier input is restored', () => {
  const before = { payMethod: 'ETH', amount: '2', fabAddress: '' }
  show(<QuoteForm sale={sale} before={before} onAsk={async () => {}} />)
  expect(amount()).toHaveValue('2')
})

test('an ambiguous amount is restored in an unambiguous spelling', async () => {
  const asked: Wanted[] = []
  const before = { payMethod: 'ETH', amount: '1.125', fabAddress }
  const { user } = show(
    <QuoteForm sale={sale} before={before} onAsk={async (wanted) => void asked.push(wanted)} />,
  )
  expect(amount()).toHaveValue('1.1250')
  await user.selectOptions(screen.getByRole('combobox', { name: t('orders.place.payMethod') }), 'ETH')
  await user.click(ask())
  await waitFor(() => expect(asked).toMatchObject([{ amount: '1.1250' }]))
})

test('limits and price of a bank transfer are in its currency', async () => {
  const bank = { ...method('Bank', 'other'), currency: 'USD' }
  const { user } = show(
    <QuoteForm sale={{ ...sale, payMethods: [bank] }} before={undefined} onAsk={async () => {}} />,
  )
  await user.selectOptions(screen.getByRole('combobox', { name: t('orders.place.payMethod') }), 'Bank')
  expect(amount()).toHaveAccessibleDescription(expect.stringMatching(/^1 USD buys .* to 10 USD/))
})

test('a comma that may group thousands is questioned at the field', async () => {
  const { user } = show(<QuoteForm sale={sale} before={undefined} onAsk={async () => {}} />)
  await user.type(amount(), '1,000')
  await user.tab()
  await waitFor(() =>
    expect(amount()).toHaveAccessibleDescription(
      expect.stringContaining(t('field.ambiguous_number', { max: 1000 })),
    ),
  )
  expect(ask()).toBeDisabled()
})

const application = (fields: Partial<KycApplication>) =>
  ({ status: 'rejected', isFinal: false, ...fields }) as KycApplication

async function identityOf(kyc: 'none' | 'rejected', applications: KycApplication[]) {
  await signedIn({ kyc })
  answering(listKycOfMember, applications)
  return show(<IdentityNeeded member={{ id: 'm', kyc }} />)
}

test('a finally refused member is sent to the messages about the application, not to the identity check', async () => {
  await identityOf('rejected', [application({ _id: 'a1', isFinal: true })])
  expect(await screen.findByText(/the decision is final/)).toBeVisible()
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/account/messages?about=identity&of=a1'])
})

test('a member who can retry is sent to the identity check', async () => {
  await identityOf('rejected', [application({})])
  expect(await screen.findByRole('link', { name: t('orders.place.toIdentity') })).toBeVisible()
})

const draftOf = (changes: Partial<OrderDraft> = {}): OrderDraft => ({
  key: 'a-key',
  quote: {
    quoteId: '0198f0a0-0000-7000-8000-000000000002',
    payMethod: 'BTC',
    amount: '0.25',
    currency: 'BTC',
    fabQty: '30000',
    rate: '120000',
    roundName: null,
    baseRate: '120000',
    baseQty: '30000',
    bonusPercent: '0',
    deliveries: [{ dueAfter: { count: 0, unit: 'days' }, amount: '30000' }],
  } as OrderDraft['quote'],
  expiresAt: Date.now() + 600_000,
  fabAddress: '',
  isSent: false,
  ...changes,
})

async function offer(draft: OrderDraft, changes: OrderDraft[] = []) {
  await signedIn()
  return show(
    <QuoteOffer
      draft={draft}
      email="member@example.com"
      payHours={36}
      rates={[]}
      onChange={(changed) => changes.push(changed)}
      onPlaced={() => {}}
      onBack={() => {}}
      onRenew={async () => {}}
    />,
  )
}

test('an order is sent with the key of its draft, which is marked as sent before the answer', async () => {
  refusing(createOrder, 'sale_closed', { message: 'The sale is closed.' })
  const changes: OrderDraft[] = []
  const { user } = await offer(draftOf(), changes)
  expect(screen.getByText('30,000')).toBeVisible()
  expect(screen.getByText(t('orders.quote.terms', { hours: 36 }))).toBeVisible()
  await user.click(screen.getByRole('button', { name: t('orders.quote.submit') }))
  await expectAlert('The sale is closed.')
  expect(callsOf(createOrder)).toMatchObject([
    { idempotencyKey: 'a-key', body: { quoteId: draftOf().quote.quoteId, email: 'member@example.com' } },
  ])
  // A rejected order was not placed, so the draft is no longer marked as sent.
  expect(changes.map(({ isSent }) => isSent)).toEqual([true, false])
})

test('after a lost answer the draft stays sent, and nothing says that it failed', async () => {
  unreachable(createOrder)
  const changes: OrderDraft[] = []
  const { user } = await offer(draftOf(), changes)
  await user.click(screen.getByRole('button', { name: t('orders.quote.submit') }))
  await expectAlert(t('errors.offline'))
  expect(changes.map(({ isSent }) => isSent)).toEqual([true])
})

test('an order with an unknown outcome can be sent again or discarded', async () => {
  await offer(draftOf({ isSent: true }))
  expect(screen.getByText(t('orders.quote.unsure'))).toBeVisible()
  expect(screen.getByRole('button', { name: t('orders.quote.resend') })).toBeEnabled()
  expect(screen.getByRole('button', { name: t('orders.quote.discard') })).toBeEnabled()
  expect(screen.queryByRole('timer')).toBeNull()
})

test('an expired quote can only be requested again', async () => {
  await offer(draftOf({ expiresAt: Date.now() - 1 }))
  expect(screen.getByRole('timer')).toHaveTextContent(t('orders.quote.expired'))
  expect(screen.getByRole('button', { name: t('orders.quote.renew') })).toBeEnabled()
  expect(screen.queryByRole('button', { name: t('orders.quote.submit') })).toBeNull()
})

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const memberWith = (kyc: Member['kyc']): Member => ({ ...aMember, language: 'EN', hasMerchant: false, kyc })
const windows = {
  'orders.place.opensAt': [5, 9],
  'orders.place.closedAt': [-9, -5],
} as const

test.each(
  (['orders.place.opensAt', 'orders.place.closedAt'] as const).flatMap((words) =>
    (['approved', 'none'] as const).map((kyc) => [words, kyc] as const),
  ),
)('says that the sale is closed before anything is filled in: %s, identity %s', async (words, kyc) => {
  const [opensAt, closesAt] = windows[words].map(inHours) as [string, string]
  answering(getSale, { ...sale, opensAt, closesAt, isOpen: false, payMethods: [] })
  await signedIn()
  const { container } = show(<PlaceOrder member={memberWith(kyc)} />)
  expect(await screen.findByText(t('orders.place.closed'))).toBeVisible()
  const [before = ''] = t(words, { time: '|' }).split('|')
  expect(container).toHaveTextContent(before.trim())
  expect(screen.queryAllByRole('textbox')).toEqual([])
  await waitFor(() =>
    expect(screen.queryAllByRole('link', { name: t('orders.place.toIdentity') })).toHaveLength(
      kyc === 'none' ? 1 : 0,
    ),
  )
})

test.each([false, true])(
  'after the sale closes a quote is no longer offered, unless the order was sent: %s',
  async (isSent) => {
    answering(getSale, { ...sale, isOpen: false, payMethods: [] })
    await signedIn()
    orderDraft(aMember.id).write(draftOf({ isSent }))
    show(<PlaceOrder member={memberWith('approved')} />)
    expect(await screen.findByText(t(isSent ? 'orders.quote.unsure' : 'orders.place.closed'))).toBeVisible()
    expect(screen.queryByRole('button', { name: t('orders.quote.submit') })).toBeNull()
    orderDraft(aMember.id).write(null)
  },
)

const openRound: NonNullable<Sale['round']> = {
  name: { en: 'Private', cn: '私募轮' },
  closesAt: inHours(48),
  left: '250000.5',
  memberLeft: '1000',
  bonus: [{ from: '1000', percent: '5' }],
  vesting: { first: '10', later: { kind: 'linear', wait: 3, parts: 9, unit: 'months' } },
}
const nextRound: NonNullable<Sale['next']> = {
  name: { en: 'Public 1', cn: '公募一轮' },
  opensAt: inHours(72),
  payMethods: [{ code: 'BTC', currency: 'BTC', rate: '100000' }],
}

test.each(['en', 'cn'] as const)(
  'shows what is left of the round, its bonus, its vesting, and the next round, in %s',
  async (language) => {
    const t = wordsOf(language)
    answering(getSale, { ...sale, round: openRound, next: nextRound })
    await signedIn()
    const { container } = show(<PlaceOrder member={memberWith('approved')} />, language)
    expect(
      await screen.findByRole('heading', { name: t('orders.round', { name: openRound.name[language] }) }),
    ).toBeVisible()
    expect(container).toHaveTextContent(t('orders.round.tokens', { quantity: '250,000.5' }))
    expect(container).toHaveTextContent(t('orders.round.tokens', { quantity: '1,000' }))
    expect(container).toHaveTextContent(t('saleRounds.bonus.tier', { from: '1,000', percent: '5' }))
    expect(container).toHaveTextContent(language === 'en' ? 'the first after 4 months' : '首期在 4 个月后')
    expect(container).toHaveTextContent(nextRound.name[language])
    expect(container).toHaveTextContent('100,000')
    expect(screen.getByRole('button', { name: t('orders.place.quote') })).toBeVisible()
  },
)

test.each(['listed', 'country'] as const)(
  'says why a member is not admitted, and offers no form: %s',
  async (why) => {
    answering(getSale, { ...sale, round: openRound, isAdmitted: false, why })
    await signedIn()
    show(<PlaceOrder member={memberWith('approved')} />)
    const words = why === 'listed' ? /open only to invited members/ : /isn’t available in the country/
    expect(await screen.findByText(words)).toBeVisible()
    expect(screen.getByRole('link', { name: 'contact us' })).toHaveAttribute('href', '/account/messages')
    expect(screen.queryByRole('button', { name: t('orders.place.quote') })).toBeNull()
  },
)

test.each([
  { left: '119.99999999', memberLeft: '119.99999999', words: 'orders.round.soldOut' },
  { left: '250000', memberLeft: '0', words: 'orders.round.memberLimit' },
] as const)('offers no form if less is left than the smallest order buys: $words', async (row) => {
  const { left, memberLeft, words } = row
  answering(getSale, { ...sale, round: { ...openRound, left, memberLeft }, next: nextRound })
  await signedIn()
  const { container } = show(<PlaceOrder member={memberWith('approved')} />)
  expect(await screen.findByText(t(words))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('orders.place.quote') })).toBeNull()
  expect(container).toHaveTextContent('Next round: Public 1')
})

test('the smallest order includes the bonus', async () => {
  const bonus = [{ from: '0', percent: '10' }]
  answering(getSale, { ...sale, round: { ...openRound, left: '131.99999999', memberLeft: null, bonus } })
  await signedIn()
  show(<PlaceOrder member={memberWith('approved')} />)
  expect(await screen.findByText(t('orders.round.soldOut'))).toBeVisible()
})

test('the smallest order can still be placed', async () => {
  answering(getSale, { ...sale, round: { ...openRound, left: '120', memberLeft: '120' } })
  await signedIn()
  show(<PlaceOrder member={memberWith('approved')} />)
  expect(await screen.findByRole('button', { name: t('orders.place.quote') })).toBeVisible()
})

test('between rounds, the next one is announced', async () => {
  answering(getSale, { ...sale, isOpen: false, payMethods: [], next: nextRound })
  await signedIn()
  const { container } = show(<PlaceOrder member={memberWith('approved')} />)
  expect(await screen.findByText(t('orders.place.closed'))).toBeVisible()
  expect(container).toHaveTextContent('Next round: Public 1')
})

test('a quote shows the stated rate, the bonus, and when the tokens come', async () => {
  const draft = draftOf()
  await offer({
    ...draft,
    quote: {
      ...draft.quote,
      roundName: openRound.name,
      rate: '126000',
      fabQty: '31500',
      bonusPercent: '5',
      deliveries: [
        { dueAfter: { count: 0, unit: 'days' }, amount: '3150' },
        { dueAfter: { count: 3, unit: 'months' }, amount: '28350' },
      ],
    },
  })
  expect(screen.getByText('31,500')).toBeVisible()
  expect(screen.getByText('Private')).toBeVisible()
  expect(screen.getByText(t('orders.rate.value', { method: 'BTC', rate: '120,000' }))).toBeVisible()
  expect(screen.getByText(t('orders.quote.bonus.value', { percent: '5', quantity: '1,500' }))).toBeVisible()
  const table = screen.getByRole('region', { name: t('orders.quote.deliveries') })
  expect(table).toHaveTextContent('3 months after completion')
  expect(table).toHaveTextContent('28,350')
})

test('a quote without rounds shows neither a bonus nor dates', async () => {
  await offer(draftOf())
  expect(screen.queryByText(t('orders.quote.bonus'))).toBeNull()
  expect(screen.queryByText(t('orders.quote.deliveries'))).toBeNull()
})
