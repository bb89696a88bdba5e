// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  exportDeliveryAccounts,
  listDeliveries,
  listDeliveryRounds,
  readDeliveryTotals,
  type ConsoleDelivery,
} from '#contract/money/console-deliveries.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const delivery: ConsoleDelivery = {
  id: 'd1',
  reference: 'ABCDE00001',
  tranche: 1,
  amount: '100.00000001',
  dueAt: '2026-05-01T14:00:00.000Z',
  state: 'due',
  hold: null,
  address: 'somewhere',
  txId: '',
  confirmedAt: null,
  orderId: 'o1',
  orderReference: 'COIN-1A2B3-C4D5E',
  memberId: 'm2',
  memberEmail: 'buyer@example.org',
  holdNote: '',
  round: null,
  run: null,
  sentAt: null,
}
async function shown(path: string, language: 'en' | 'cn' = 'en') {
  await signedIn({ manageFinance: 1 })
  return showPage(path, language)
}

test.each(['en', 'cn'] as const)('lists deliveries in %s', async (language) => {
  const t = wordsOf(language)
  answering(listDeliveries, [delivery])
  await shown('/console/deliveries?state=due', language)
  const link = await screen.findByRole('link', { name: 'ABCDE00001' })
  expect(link).toHaveAttribute('href', '/console/orders/o1#deliveries')
  const row = within(link.closest('tr')!)
  expect(row.getByText(t('consoleDeliveries.overdue'))).toBeVisible()
  expect(row.getByText('100.00000001')).toBeVisible()
  expect(callsOf(listDeliveries)).toMatchObject([{ query: { state: 'due' } }])
})

test('an empty list says so, and a failed one offers to try again', async () => {
  const t = wordsOf('en')
  answering(listDeliveries, [])
  await shown('/console/deliveries')
  expect(await screen.findByText(t('consoleDeliveries.none'))).toBeVisible()
  cleanup()
  refusing(listDeliveries, 'unexpected')
  await shown('/console/deliveries')
  expect(await screen.findByText(t('console.list.failed'))).toBeVisible()
})

test('the accounting file takes the filters of the list, and a failure is shown', async () => {
  const t = wordsOf('en')
  answering(listDeliveries, [delivery])
  refusing(exportDeliveryAccounts, 'unexpected')
  const { user } = await shown('/console/deliveries?hold=staff')
  await user.click(await screen.findByRole('button', { name: t('consoleDeliveries.accounting') }))
  expect(callsOf(exportDeliveryAccounts)).toMatchObject([{ query: { hold: 'staff' } }])
  expect(await screen.findByText(/unexpected|went wrong/i)).toBeVisible()
})

const sums = {
  sold: '300.00000001',
  delivered: '100',
  sent: '0',
  inRuns: '0',
  due: '50',
  locked: '150.00000001',
  rounds: [],
}

test.each(['en', 'cn'] as const)('shows exact totals and the due months in %s', async (language) => {
  const t = wordsOf(language)
  answering(readDeliveryTotals, {
    ...sums,
    months: [
      { month: '2026-11', count: 2, amount: '100', delivered: '100' },
      { month: '2026-12', count: 1, amount: '200.00000001', delivered: '0' },
    ],
  })
  await shown('/console/deliveries/totals?from=2026-11-01', language)
  const months = within(
    await screen.findByRole('table', { name: t('consoleDeliveries.totals.byMonth') }),
  ).getAllByRole('row')
  expect(months.slice(1).map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^2026-12.*200\.00000001/),
    expect.stringMatching(/^2026-11.*100/),
  ])
  expect(screen.getByText('300.00000001')).toBeVisible()
  // Everything sold is accounted for.
  expect(screen.queryByText(t('consoleDeliveries.totals.without'))).toBeNull()
  expect(screen.getByText('150.00000001')).toBeVisible()
  expect(callsOf(readDeliveryTotals)).toMatchObject([{ query: { from: '2026-11-01' } }])
})

test('what was sold without a delivery is shown', async () => {
  const t = wordsOf('en')
  answering(readDeliveryTotals, { ...sums, sold: '300.00000002', months: [] })
  await shown('/console/deliveries/totals')
  expect((await screen.findByText(t('consoleDeliveries.totals.without'))).nextSibling).toHaveTextContent(
    /^0\.00000001$/,
  )
})

test('totals without anything say so, and a failure is shown', async () => {
  const t = wordsOf('en')
  answering(readDeliveryTotals, { ...sums, months: [] })
  await shown('/console/deliveries/totals')
  expect(await screen.findByText(t('consoleDeliveries.totals.none'))).toBeVisible()
  cleanup()
  refusing(readDeliveryTotals, 'unexpected')
  await shown('/console/deliveries/totals')
  expect(await screen.findByText(t('consoleDeliveries.totals.failed'))).toBeVisible()
})

test('each round has its totals, with a link to its deliveries', async () => {
  const t = wordsOf('cn')
  const rounds = [{ ...sums, id: 'r1', name: { en: 'Seed', cn: '种子轮' }, sold: '12.00000001' }]
  answering(readDeliveryTotals, { ...sums, rounds, months: [] })
  await shown('/console/deliveries/totals', 'cn')
  const table = await screen.findByRole('table', { name: t('consoleDeliveries.totals.byRound') })
  expect(within(table).getAllByRole('row')[1]).toHaveTextContent(/种子轮.*12\.00000001/)
  expect(within(table).getByRole('link')).toHaveAttribute('href', '/console/deliveries?round=r1')
})

test('the list is filtered by round, and its name is a link', async () => {
  const rounds = ['r1', 'r2'].map((id) => ({ id, name: { en: `Round ${id}`, cn: `轮次 ${id}` } }))
  answering(listDeliveryRounds, { rounds })
  answering(listDeliveries, [{ ...delivery, round: rounds[0]! }])
  await shown('/console/deliveries?round=r1&columns=reference,round')
  expect(await screen.findByRole('link', { name: 'Round r1' })).toBeVisible()
  expect(callsOf(listDeliveries)[0]).toMatchObject({ query: { round: 'r1' } })
})
