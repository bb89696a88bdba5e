// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listFourEyes } from '#contract/people/four-eyes.ts'
import {
  figurePeriodDefault,
  listNeedsAttention,
  readDashboardMetrics,
  waitingCountMax,
  type ConsoleFigures,
  type Figure,
  type Waiting,
} from '#contract/console/console-home.ts'
import { DAY } from '#contract/platform/durations.ts'
import { noFigures } from '#tests/console-figures.ts'
import { callsOf, answering, refusing } from '#tests/setup/stub-api.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'

beforeEach(() => answering(listFourEyes, []))

const t = wordsOf('en')
const figureDays = Number(figurePeriodDefault)
const waiting = (what: Waiting['what'], count: number, oldestAt: string | null = null): Waiting => ({
  what,
  count,
  oldestAt,
  isNew: false,
  isMuted: false,
})
const figure = (
  name: Figure['name'],
  values: Record<number, string>,
  coin: string | null = null,
): Figure => ({
  name,
  coin,
  values: Array.from({ length: figureDays }, (_, day) => values[day] ?? '0'),
  before: '0',
})

async function home(things: Waiting[], figures: Partial<ConsoleFigures> = {}) {
  await signedIn({ manageFinance: 2 })
  answering(listNeedsAttention, things)
  answering(readDashboardMetrics, { ...noFigures, ...figures })
  return showPage('/console')
}

const part = (key: Parameters<typeof t>[0]) => within(screen.getByRole('region', { name: t(key) }))

test('each number links to what it counts, with the age of the oldest item, and nothing shows a zero', async () => {
  await home([
    waiting('identity_unassigned', 3, new Date(Date.now() - 2.5 * DAY).toISOString()),
    waiting('identity_mine', 0),
    waiting('orders_second_person', 4),
    waiting('orders_any', 4),
    waiting('posts_due', waitingCountMax + 1, new Date(Date.now() + DAY).toISOString()),
  ])
  await screen.findByText(t('consoleHome.waiting.identity_unassigned'))
  const links = part('consoleHome.waiting').getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['4 Orders awaiting second approval ', '/console/orders?flag=second_person&waitingFor=me'],
    ['3 Unassigned identity cases Oldest: 2 days', '/console/identity?assignee=available'],
    // They are due later today, so none is overdue.
    ['10,000+ Posts due today ', '/console/newsroom?due=today'],
  ])
  expect(part('consoleHome.waiting').queryByText('0')).toBeNull()
})

test('says so if nothing is pending, and hides figures without the right to them', async () => {
  await home([waiting('posts_due', 0)])
  expect(await screen.findByText(t('consoleHome.waiting.none'))).toBeVisible()
  expect(part('consoleHome.waiting').queryByRole('list')).toBeNull()
  expect(screen.queryByRole('region', { name: t('consoleHome.figures') })).toBeNull()
})

test("each part that can't be loaded says so on its own, with a retry", async () => {
  await signedIn({ manageFinance: 2 })
  refusing(listNeedsAttention, 'unavailable')
  answering(readDashboardMetrics, { ...noFigures, figures: [figure('sign_ups', { 0: '1' })] })
  const { user } = await showPage('/console')
  expect(await screen.findByText(t('consoleHome.waiting.failed'))).toBeVisible()
  expect(screen.getByRole('figure', { name: t('consoleHome.figures.members') })).toBeVisible()
  answering(listNeedsAttention, [])
  await user.click(screen.getByRole('button', { name: t('forms.retry') }))
  expect(await screen.findByText(t('consoleHome.waiting.none'))).toBeVisible()
  expect(callsOf(readDashboardMetrics)).toHaveLength(1)
})

test('a chart names its total and its highest day, and its table has every day', async () => {
  await home([], {
    figures: [figure('sign_ups', { 0: '2', 27: '5' }), figure('activations', {})],
  })
  const chart = await screen.findByRole('figure', { name: t('consoleHome.figures.members') })
  expect(
    within(chart)
      .getAllByRole('img')
      .map((image) => image.getAttribute('aria-label')),
  ).toEqual(['Sign-ups: 7. Peak on May\u{A0}28, 2036: 5.', 'Activations: 0. No data for this period.'])
  const rows = within(chart)
    .getAllByRole('row', { hidden: true })
    .map(({ textContent }) => textContent)
  expect(rows).toHaveLength(1 + figureDays)
  expect(rows[1]).toBe('May\u{A0}1, 203620')
  expect(rows.at(-1)).toBe('May\u{A0}28, 203650')
})

test('figures are of the chosen period, compared with the one before, and show the way to an order', async () => {
  const { user } = await home([], {
    figures: [{ ...figure('sign_ups', { 0: '2' }), before: '9' }],
    path: [
      { step: 'signed_up', count: 8 },
      { step: 'ordered', count: 2 },
      { step: 'paid', count: 1 },
    ],
    sale: {
      sold: '750.5',
      cap: '1000',
      left: '249.5',
      changedAt: '2036-05-01T08:00:00.000Z',
      orders: 3,
      quantity: '12000',
    },
  })
  const figures = within(await screen.findByRole('region', { name: t('consoleHome.figures') }))
  expect(figures.getByText(t('consoleHome.figures.before', { value: '9' }), { exact: false })).toBeVisible()
  expect(figures.getByRole('row', { name: `${t('consoleHome.path.paid')} 1 13%` })).toBeVisible()
  expect(figures.getByText('249.5')).toBeVisible()
  answering(readDashboardMetrics, { ...noFigures, step: 7, figures: [figure('sign_ups', { 0: '4' })] })
  await user.selectOptions(figures.getByLabelText(t('consoleHome.figures.period')), '364')
  expect(await screen.findByText(t('consoleHome.figures.week'))).toBeInTheDocument()
  expect(callsOf(readDashboardMetrics).at(-1)).toMatchObject({ query: { days: '364' } })
  expect(location.search).toBe('?days=364')
})

test('a chart without any data is one sentence instead of zeros', async () => {
  await home([], { figures: [figure('orders_pending', {}), figure('orders_completed', {})] })
  const figures = within(await screen.findByRole('region', { name: t('consoleHome.figures') }))
  expect(figures.getByRole('heading', { name: t('consoleHome.figures.orders') })).toBeVisible()
  expect(figures.getByText(t('consoleHome.figures.nothing'))).toBeVisible()
  expect(figures.queryByText('0')).toBeNull()
})

test('amounts are exact, with a chart per coin; the highest bar is full height, and the lowest stays visible', async () => {
  const large = '12345678901234567890.000000000000000001'
  const { container } = await home([], {
    figures: [
      figure('amount_pending', { 1: '0.000000000000000001' }, 'ETH'),
      figure('amount_completed', { 1: large }, 'ETH'),
      figure('amount_pending', {}, 'BTC'),
      figure('amount_completed', { 3: '0.1', 4: '0.2' }, 'BTC'),
    ],
    hasMoreCoins: true,
  })
  const ether = await screen.findByRole('figure', {
    name: t('consoleHome.figures.amounts', { coin: 'ETH' }),
  })
  expect(within(ether).getAllByText('12,345,678,901,234,567,890.000000000000000001')).toHaveLength(2)
  const bitcoin = screen.getByRole('figure', { name: t('consoleHome.figures.amounts', { coin: 'BTC' }) })
  expect(within(bitcoin).getByText('0.3')).toBeVisible()
  const heights = [...container.querySelectorAll('rect[y]')].map((bar) => Number(bar.getAttribute('height')))
  expect(heights).toEqual([1.5, 40, 20, 40])
  expect(screen.getByText(t('consoleHome.figures.moreCoins', { count: 6 }))).toBeVisible()
})
