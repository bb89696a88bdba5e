// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { DisplayRate } from '#contract/money/display-rates.ts'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { Approximately, CurrencyChoice } from './approximate.tsx'

const rates: DisplayRate[] = [
  { unit: 'BTC', currency: 'EUR', value: '58000', date: '2026-11-30' },
  { unit: 'USD', currency: 'EUR', value: '0.9', date: '2026-11-28' },
  { unit: 'BTC', currency: 'CHF', value: '55000', date: '2026-11-30' },
]
const both = (amount: string | null = '0.25', unit = 'BTC', of = rates) => (
  <>
    <CurrencyChoice rates={of} />
    <p>
      {amount} {unit}
      <Approximately amount={amount} unit={unit} rates={of} />
    </p>
  </>
)

test.each(['en', 'cn'] as const)(
  'shows the amount in the chosen currency next to the exact one, with the date of the rate: %s',
  async (language) => {
    const said = wordsOf(language)
    const { user, container } = show(both(), language)
    expect(container).not.toHaveTextContent('≈')
    await user.selectOptions(screen.getByLabelText(said('orders.approximate.choose')), 'EUR')
    expect(container).toHaveTextContent('0.25 BTC≈ €14,500.00')
    // The date is that of the oldest rate, so that no rate seems newer than it is.
    expect(screen.getByLabelText(said('orders.approximate.choose'))).toHaveAccessibleDescription(/28/)
    await user.selectOptions(screen.getByLabelText(said('orders.approximate.choose')), '')
    expect(container).not.toHaveTextContent('≈')
  },
)

test('keeps the choice in the browser', async () => {
  const { user } = show(both())
  await user.selectOptions(screen.getByLabelText(wordsOf('en')('orders.approximate.choose')), 'CHF')
  cleanup()
  const { container } = show(both())
  expect(container).toHaveTextContent('≈ CHF 13,750.00')
  expect(localStorage.getItem('display-currency')).toBe('CHF')
  cleanup()
  show(<Approximately amount="1" unit="BTC" rates={rates} isDated />)
  expect(screen.getByText(/CHF/)).toHaveTextContent('30')
})

test('shows nothing without an amount, without a matching rate, or without any rates', () => {
  for (const element of [both('1', 'ETH'), both(null), both('1', 'BTC', [])]) {
    cleanup()
    expect(show(element).container).not.toHaveTextContent('≈')
  }
  expect(screen.queryByRole('combobox')).toBeNull()
})
