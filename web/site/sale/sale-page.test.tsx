// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  cancelSaleReminder,
  confirmSaleReminder,
  pendingReminderDays,
  readPublicSale,
  requestSaleReminder,
  type PublicSale,
} from '#contract/money/public-sale.ts'
import { readWhitePaper } from '#contract/publishing/white-paper.ts'
import { aWhitePaper } from '#tests/setup/one-announcement.ts'
import { expectAlert, showPage } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const method = (code: string, rate: string, decimals = 8) => ({
  code,
  currency: code,
  rate,
  minAmount: '0.001',
  maxAmount: '5',
  decimals,
})
const open: PublicSale = {
  state: 'open',
  opensAt: null,
  closesAt: '2099-06-30T12:00:00.000Z',
  payMethods: [method('BTC', '120000'), method('ETH', '4000.5', 18)],
  quoteMinutes: 15,
  payHours: 24,
  ageMin: 18,
  memberCap: null,
  left: { cap: '21000000', percent: '62.9' },
  round: null,
  next: null,
}
const closed: PublicSale = { ...open, state: 'upcoming', opensAt: open.closesAt, payMethods: [], left: null }

function showSale(sale: PublicSale | null, language: 'en' | 'cn' = 'en', hasPaper = false) {
  answering(readPublicSale, { sale, isOnHome: true })
  answering(readWhitePaper, { whitePaper: hasPaper ? aWhitePaper : null })
  return showPage('/sale', language)
}
const amount = (currency = 'BTC') =>
  screen.getByRole('textbox', { name: t('sale.calculator.amount', { currency }) })
const quantity = () => screen.getByRole('textbox', { name: t('sale.calculator.quantity') })

test('the calculator converts in both directions during typing, and explains invalid input', async () => {
  const { user } = await showSale(open)
  expect(amount()).toHaveValue('1')
  expect(quantity()).toHaveValue('120000')
  await user.clear(amount())
  expect(quantity()).toHaveValue('')
  await user.type(amount(), '0,5')
  expect(quantity()).toHaveValue('60000')
  await user.clear(quantity())
  await user.type(quantity(), '100')
  expect(amount()).toHaveValue('')
  expect(quantity()).toHaveAccessibleDescription(t('field.too_little', { min: '120' }))
  await user.type(quantity(), '0.5')
  // The smallest amount that buys at least 1,000.5 tokens.
  expect(amount()).toHaveValue('0.0083375')
  await user.selectOptions(screen.getByRole('combobox'), 'ETH')
  expect(amount('ETH')).toHaveValue('1')
  expect(
    screen.getByText(t('sale.calculator.result', { amount: '1', currency: 'ETH', quantity: '4,000.5' })),
  ).toBeVisible()
})

test.each(['en', 'cn'] as const)(
  'links to the order form and lists the steps while the sale is open, in %s',
  async (language) => {
    const t = wordsOf(language)
    await showSale(open, language, true)
    const links = screen
      .getAllByRole('link', { name: t('sale.order') })
      .map((link) => link.getAttribute('href'))
    expect(links).toContain('/account/account-details?order=new')
    expect(screen.getByText(t('sale.who.age', { age: 18 }))).toBeVisible()
    expect(screen.getByText(t('sale.left', { percent: '62.9', cap: '21,000,000' }))).toBeVisible()
    // The law requires this statement on pages that advertise a crypto-asset with a white paper.
    expect(screen.getByText(t('whitePaper.marketing.statement'))).toBeVisible()
    expect(screen.queryByRole('textbox', { name: t('sale.reminder.email') })).toBeNull()
  },
)

test('offers a reminder before the sale, and keeps the input after a refusal', async () => {
  const { user } = await showSale(closed)
  expect(screen.queryByText(t('sale.price.heading'))).toBeNull()
  const email = screen.getByRole('textbox', { name: t('sale.reminder.email') })
  refusing(requestSaleReminder, 'rate_limited')
  await user.type(email, 'ada@example.org')
  await user.click(screen.getByRole('button', { name: t('sale.reminder.submit') }))
  await expectAlert('refused: rate_limited')
  expect(email).toHaveValue('ada@example.org')
  answering(requestSaleReminder, { received: true })
  await user.click(screen.getByRole('button', { name: t('sale.reminder.submit') }))
  const sent = t('sale.reminder.received.text', { days: pendingReminderDays })
  await waitFor(() => expect(screen.getByText(sent)).toBeVisible())
  expect(callsOf(requestSaleReminder).at(-1)!.body).toEqual({ email: 'ada@example.org', language: 'en' })
})

test('a sale that is sold out asks nobody to order', async () => {
  await showSale({ ...open, state: 'soldOut', left: { cap: '21000000', percent: '0' } })
  expect(screen.getByText(t('sale.left', { percent: '0', cap: '21,000,000' }))).toBeVisible()
  expect(screen.queryByText(/Place your order/)).toBeNull()
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).not.toContain(
    '/account/account-details?order=new',
  )
  expect(screen.getByRole('textbox', { name: t('sale.reminder.email') })).toBeVisible()
})

test('a hidden sale shows neither a price nor a form', async () => {
  await showSale(null)
  expect(screen.getByText(t('sale.lead.none'))).toBeVisible()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.queryByText(t('sale.steps.heading'))).toBeNull()
})

test('links in emails take effect only after a click', async () => {
  const { user } = await showPage('/sale/reminder?code=the.code')
  expect(callsOf(confirmSaleReminder)).toEqual([])
  refusing(confirmSaleReminder, 'code_invalid')
  await user.click(screen.getByRole('button', { name: t('sale.reminder.confirm.submit') }))
  await expectAlert('refused: code_invalid')
  answering(confirmSaleReminder, { confirmed: true })
  await user.click(screen.getByRole('button', { name: t('sale.reminder.confirm.submit') }))
  await waitFor(() => expect(screen.getByText(t('sale.reminder.confirmed.text'))).toBeVisible())
})

test('the link to unsubscribe cancels the reminder', async () => {
  const { user } = await showPage('/sale/reminder?cancel=the.code')
  answering(cancelSaleReminder, { cancelled: true })
  await user.click(screen.getByRole('button', { name: t('sale.reminder.cancel.submit') }))
  await waitFor(() => expect(screen.getByText(t('sale.reminder.cancelled.text'))).toBeVisible())
  expect(callsOf(cancelSaleReminder).at(-1)!.body).toEqual({ code: 'the.code' })
})

const round: NonNullable<PublicSale['round']> = {
  name: { en: 'Private', cn: '私募轮' },
  closesAt: '2099-05-31T12:00:00.000Z',
  left: { cap: '1000000', percent: '40' },
  bonus: [{ from: '60000', percent: '5' }],
  vesting: { first: '100', later: null },
}
const next: NonNullable<PublicSale['next']> = {
  name: { en: 'Public 1', cn: '公募一轮' },
  opensAt: '2099-06-01T12:00:00.000Z',
  payMethods: [{ code: 'BTC', currency: 'BTC', rate: '100000' }],
}

test.each(['en', 'cn'] as const)('shows the current and the next round, in %s', async (language) => {
  const t = wordsOf(language)
  await showSale({ ...open, round, next }, language)
  const rounds = screen.getByRole('region', { name: t('sale.round.heading') })
  expect(rounds).toHaveTextContent(t('sale.round.current', { name: round.name[language] }))
  expect(rounds).toHaveTextContent(t('sale.round.left.value', { percent: '40', cap: '1,000,000' }))
  expect(rounds).toHaveTextContent(t('saleRounds.bonus.tier', { from: '60,000', percent: '5' }))
  expect(rounds).toHaveTextContent(t('saleRounds.vesting.atOnce'))
  expect(rounds).toHaveTextContent(t('sale.round.next', { name: next.name[language] }))
  expect(rounds).toHaveTextContent(t('sale.round.price.value', { currency: 'BTC', rate: '100,000' }))
})

test('without rounds there is no section about them', async () => {
  await showSale(open)
  expect(screen.queryByText(t('sale.round.heading'))).toBeNull()
})

test('the next round is shown before the sale opens', async () => {
  await showSale({ ...closed, next })
  expect(screen.getByText(t('sale.round.next', { name: 'Public 1' }))).toBeVisible()
})

test('the calculator adds the bonus of the round from its quantity on', async () => {
  const { user } = await showSale({ ...open, round })
  await user.clear(amount())
  await user.type(amount(), '0.4')
  expect(quantity()).toHaveValue('48000')
  expect(screen.queryByText(t('sale.calculator.bonus', { percent: '5' }), { exact: false })).toBeNull()
  await user.clear(amount())
  await user.type(amount(), '0.5')
  expect(quantity()).toHaveValue('63000')
  expect(screen.getByText(t('sale.calculator.bonus', { percent: '5' }), { exact: false })).toBeVisible()
  await user.clear(quantity())
  // Without the bonus, 62,000 tokens would cost more than the amount that reaches the tier.
  await user.type(quantity(), '62000')
  expect(amount()).toHaveValue('0.5')
})
