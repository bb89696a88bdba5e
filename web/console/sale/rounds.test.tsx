// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listFourEyes } from '#contract/people/four-eyes.ts'
import { listAddressChanges } from '#contract/money/sale-proposals.ts'
import { getSaleSettings, updateSaleSettings, type SaleSettings } from '#contract/money/sale.ts'
import {
  changeRoundGuests,
  getSaleRound,
  listRoundGuests,
  listSaleRounds,
  type RoundRow,
  type SaleRound,
} from '#contract/money/sale-rounds.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringPage, callsOf, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

beforeEach(() => {
  answering(listFourEyes, [])
  answering(listAddressChanges, [])
})

const t = wordsOf('en')
const settings: SaleSettings = {
  isOpen: true,
  quoteMinutes: 15,
  opensAt: null,
  closesAt: null,
  cap: null,
  memberCap: null,
  payMethods: [
    {
      code: 'BTC',
      chain: 'bitcoin',
      currency: 'BTC',
      isOpen: true,
      rate: '120000',
      decimals: 8,
      minAmount: '0.001',
      maxAmount: '5',
      receivingAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    },
  ],
  rounds: [],
  sold: null,
  proposal: null,
  takesTwo: false,
  rateChangePercent: 20,
  rateReferences: [],
  lastUpdated: '2036-05-01T10:00:00.000Z',
}
const round: SaleRound = {
  id: 'r1',
  name: { en: 'Private', cn: '私募轮' },
  opensAt: '2036-05-01T10:00:00.000Z',
  closesAt: '2036-06-01T10:00:00.000Z',
  cap: '1000000',
  memberCap: null,
  admission: 'listed',
  excludedCountries: ['US'],
  bonus: [{ from: '1000', percent: '5' }],
  vesting: { first: '10', later: { kind: 'linear', wait: 3, parts: 9, unit: 'months' } },
  prices: [{ code: 'BTC', rate: '150000', minAmount: '0.01', maxAmount: '2' }],
}
const row: RoundRow = {
  id: 'r1',
  name: round.name,
  opensAt: round.opensAt,
  closesAt: round.closesAt,
  state: 'current',
  sold: '250000.5',
  cap: '1000000',
  orders: 12,
  members: 9,
}
const withRound: SaleSettings = { ...settings, rounds: [round] }

async function open(id = 'r1', saved = withRound, level: 1 | 2 = 2, language: 'en' | 'cn' = 'en') {
  await signedIn({ id: 'me', manageCoins: level })
  answering(getSaleSettings, saved)
  answering(getSaleRound, row)
  answering(listRoundGuests, [])
  const { user } = await showPage(`/console/sale/rounds/${id}`, language)
  await screen.findByRole('heading', { name: wordsOf(language)('consoleRounds.prices') })
  const type = async (label: string, text: string) => {
    const field = screen.getByLabelText(t(label), { exact: false })
    await user.clear(field)
    if (text !== '') await user.type(field, text)
  }
  return { user, type }
}
const button = (label: string, values?: object) =>
  screen.getByRole('button', { name: t(label, values as never) })
const review = async (user: Awaited<ReturnType<typeof open>>['user']) => {
  await user.click(button('consoleSale.review'))
  return within(await screen.findByRole('dialog', { name: t('consoleSale.save.title') }))
}
const sent = () =>
  callsOf(updateSaleSettings).at(-1)!.body as { rounds: SaleRound[]; confirmedRates?: object }

test.each(['en', 'cn'] as const)('lists the rounds with what they sold, in %s', async (language) => {
  await signedIn({ manageCoins: 2 })
  answeringPage(listSaleRounds, [row])
  await showPage('/console/sale/rounds', language)
  const link = await screen.findByRole('link', { name: round.name[language] })
  expect(link).toHaveAttribute('href', '/console/sale/rounds/r1')
  expect(screen.getByText('250,000.5')).toBeVisible()
  expect(screen.getByText(wordsOf(language)('consoleRounds.state.current'))).toBeVisible()
})

test('an empty list says how the first round comes about, and only managers can add one', async () => {
  await signedIn({ manageCoins: 1 })
  answeringPage(listSaleRounds, [])
  await showPage('/console/sale/rounds')
  expect(await screen.findByText(t('consoleRounds.none.help'))).toBeVisible()
  expect(screen.queryByRole('link', { name: t('consoleRounds.add') })).toBeNull()
})

test('a new round is saved with all other settings, under an ID that survives a reload', async () => {
  const { user, type } = await open('new', settings)
  await type('consoleRounds.nameEn', 'Public 1')
  await type('consoleRounds.nameCn', '公募一轮')
  cleanup()
  await showPage('/console/sale/rounds/new')
  expect(await screen.findByLabelText(t('consoleRounds.nameEn'))).toHaveValue('Public 1')
  unreachable(updateSaleSettings)
  const dialog = await review(user)
  const save = dialog.getByRole('button', { name: t('consoleSale.save') })
  await user.click(save)
  expect(await dialog.findByText(t('errors.offline'))).toBeVisible()
  answering(updateSaleSettings, settings)
  answeringPage(listSaleRounds, [])
  await user.click(save)
  await waitFor(() => expect(callsOf(updateSaleSettings)).toHaveLength(2))
  const { proposal: _, rounds: __, ...others } = settings
  expect(sent()).toMatchObject({ ...others, rounds: [{ name: { en: 'Public 1', cn: '公募一轮' } }] })
  const ids = callsOf(updateSaleSettings).map(({ body }) => (body as { rounds: SaleRound[] }).rounds[0]!.id)
  expect(new Set(ids).size).toBe(1)
})

test.each(['en', 'cn'] as const)(
  'shows the vesting plan as dates and amounts of an example, in %s',
  async (language) => {
    const t = wordsOf(language)
    await open('r1', withRound, 2, language)
    const table = screen.getByRole('table', {
      name: t('consoleRounds.vesting.preview', { quantity: '1,000' }),
    })
    const rows = within(table).getAllByRole('row').slice(1)
    expect(rows).toHaveLength(10)
    expect(rows[0]).toHaveTextContent(t('consoleRounds.vesting.due.first'))
    expect(rows[1]).toHaveTextContent(language === 'en' ? '4 months later' : '4个月后')
    expect(rows.map((each) => each.textContent?.endsWith('100'))).not.toContain(false)
  },
)

test('a plan whose parts do not add up shows no example and is not sent', async () => {
  const { user } = await open()
  await user.selectOptions(screen.getByLabelText(t('consoleRounds.vesting.kind')), 'tranches')
  const share = screen.getByLabelText(t('consoleRounds.vesting.percent'))
  await user.clear(share)
  await user.type(share, '70')
  expect(screen.getByText(t('consoleRounds.vesting.sum'))).toBeVisible()
  await user.click(button('consoleSale.review'))
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.clear(share)
  await user.type(share, '80')
  expect(screen.getByRole('table')).toHaveTextContent('800')
  const dialog = await review(user)
  expect(dialog.getByText(/20% when the order is completed, 80% after 3 months/)).toBeVisible()
  answering(updateSaleSettings, withRound)
  await user.click(dialog.getByRole('button', { name: t('consoleSale.save') }))
  await waitFor(() => expect(callsOf(updateSaleSettings)).toHaveLength(1))
  expect(sent().rounds).toEqual([
    {
      ...round,
      vesting: {
        first: '20',
        later: { kind: 'tranches', parts: [{ after: 3, unit: 'months', percent: '80' }] },
      },
    },
  ])
})

test('a price that changes by more than the limit is typed again next to both values', async () => {
  const { user, type } = await open()
  await type('consoleSale.method.rate', '300000')
  const dialog = await review(user)
  expect(dialog.getByText(/150000 .*300000 .*\+100%/)).toBeVisible()
  answering(updateSaleSettings, withRound)
  const save = dialog.getByRole('button', { name: t('consoleSale.save') })
  await user.click(save)
  expect(callsOf(updateSaleSettings)).toEqual([])
  await user.type(dialog.getByLabelText(t('consoleSale.rate.type', { code: 'BTC' })), '300000')
  await user.click(save)
  await waitFor(() => expect(callsOf(updateSaleSettings)).toHaveLength(1))
  expect(sent().confirmedRates).toEqual({ 'r1/BTC': '300000' })
})

test('a price of its own starts with that of the sale, and can be given up', async () => {
  const { user } = await open('r1', { ...settings, rounds: [{ ...round, prices: [] }] })
  expect(screen.queryByLabelText(t('consoleSale.method.rate'))).toBeNull()
  const own = screen.getByRole('checkbox', { name: t('consoleRounds.prices.own', { code: 'BTC' }) })
  await user.click(own)
  expect(screen.getByLabelText(t('consoleSale.method.rate'))).toHaveValue('120000')
  await user.click(own)
  expect(screen.queryByLabelText(t('consoleSale.method.rate'))).toBeNull()
  expect(button('consoleSale.review')).toBeDisabled()
})

test('copies everything but the names and the period of another round', async () => {
  const { user, type } = await open('new', withRound)
  await type('consoleRounds.nameEn', 'Public 1')
  await type('consoleRounds.nameCn', '公募一轮')
  await user.selectOptions(screen.getByLabelText(t('consoleRounds.copy')), 'r1')
  answering(updateSaleSettings, withRound)
  answering(listSaleRounds, [])
  const dialog = await review(user)
  await user.click(dialog.getByRole('button', { name: t('consoleSale.save') }))
  await waitFor(() => expect(callsOf(updateSaleSettings)).toHaveLength(1))
  const [kept, added] = sent().rounds
  expect(kept).toEqual(round)
  expect(added).toEqual({
    ...round,
    id: added!.id,
    name: { en: 'Public 1', cn: '公募一轮' },
    opensAt: null,
    closesAt: null,
  })
  expect(added!.id).not.toBe('r1')
})

test('excludes countries and adds bonus tiers', async () => {
  const { user } = await open()
  const country = screen.getByLabelText(t('consoleRounds.countries.add'))
  await user.type(country, 'Atlantis')
  await user.click(button('consoleRounds.countries.exclude'))
  expect(country).toHaveAccessibleDescription(expect.stringContaining(t('consoleRounds.countries.unknown')))
  await user.clear(country)
  await user.type(country, 'canada')
  await user.click(button('consoleRounds.countries.exclude'))
  await user.click(button('consoleRounds.countries.remove', { country: 'United States' }))
  await user.click(button('consoleRounds.bonus.add'))
  await user.type(screen.getAllByLabelText(t('consoleRounds.bonus.from')).at(-1)!, '5000')
  await user.type(screen.getAllByLabelText(t('consoleRounds.bonus.percent')).at(-1)!, '7.5')
  answering(updateSaleSettings, withRound)
  const dialog = await review(user)
  await user.click(dialog.getByRole('button', { name: t('consoleSale.save') }))
  await waitFor(() => expect(callsOf(updateSaleSettings)).toHaveLength(1))
  expect(sent().rounds[0]).toMatchObject({
    excludedCountries: ['CA'],
    bonus: [
      { from: '1000', percent: '5' },
      { from: '5000', percent: '7.5' },
    ],
  })
})

test('a problem that the server finds is shown at its field', async () => {
  const { user, type } = await open()
  await type('consoleRounds.cap', '5')
  refusing(updateSaleSettings, 'validation_failed', {
    errors: [{ path: 'rounds.0.cap', code: 'too_little', message: 'More was sold.' }],
  })
  const dialog = await review(user)
  await user.click(dialog.getByRole('button', { name: t('consoleSale.save') }))
  await waitFor(() =>
    expect(screen.getByLabelText(t('consoleRounds.cap'), { exact: false })).toHaveAccessibleDescription(
      expect.stringContaining('More was sold.'),
    ),
  )
})

test('an open proposal is announced before the form, because saving ends it', async () => {
  await open('r1', {
    ...withRound,
    proposal: {
      id: 'p',
      by: { id: 'other', name: 'Other' },
      at: settings.lastUpdated!,
      expiresAt: settings.lastUpdated!,
      changes: [],
    },
  })
  expect(screen.getByText(t('consoleRounds.proposal'), { exact: false })).toBeVisible()
  expect(screen.getByRole('link', { name: t('consoleRounds.proposal.link') })).toHaveAttribute(
    'href',
    '/console/sale',
  )
})

test('readers see the round without the allow-list and without buttons', async () => {
  await open('r1', withRound, 1)
  expect(screen.getByText(t('consoleSale.readOnly'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleSale.review') })).toBeNull()
  expect(callsOf(listRoundGuests)).toEqual([])
})

test('a round with orders is not deleted', async () => {
  const { user } = await open()
  await user.click(button('consoleRounds.remove.ask'))
  const dialog = within(await screen.findByRole('dialog'))
  refusing(updateSaleSettings, 'conflict')
  await user.click(dialog.getByRole('button', { name: t('consoleRounds.remove.now') }))
  expect(await dialog.findByText(t('consoleRounds.remove.conflict'))).toBeVisible()
  expect(sent().rounds).toEqual([])
})

test('adds pasted addresses to the allow-list, and names one that is not an address', async () => {
  const { user } = await open()
  expect(await screen.findByText(t('consoleRounds.guests.none'))).toBeVisible()
  const field = screen.getByLabelText(t('consoleRounds.guests.emails'))
  await user.type(field, 'ada@example.org{enter}nobody')
  await user.click(button('consoleRounds.guests.add.now'))
  expect(field).toHaveAccessibleDescription(
    expect.stringContaining(t('consoleRounds.guests.wrong', { email: 'nobody' })),
  )
  expect(callsOf(changeRoundGuests)).toEqual([])
  await user.clear(field)
  await user.type(field, 'ada@example.org{enter}bob@example.org')
  answering(changeRoundGuests, { added: 2, removed: 0 })
  answering(listRoundGuests, [
    { id: 'g1', roundId: 'r1', email: 'ada@example.org', addedBy: null, addedAt: settings.lastUpdated! },
  ])
  await user.click(button('consoleRounds.guests.add.now'))
  const list = within(await screen.findByRole('list', { name: t('consoleRounds.guests') }))
  expect(list.getByRole('listitem')).toHaveTextContent('ada@example.org')
  expect(callsOf(changeRoundGuests).at(-1)).toMatchObject({
    params: { id: 'r1' },
    body: { add: ['ada@example.org', 'bob@example.org'], remove: [] },
  })
})

test('a removal that fails keeps the input', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('radio', { name: t('consoleRounds.guests.remove') }))
  const field = screen.getByLabelText(t('consoleRounds.guests.emails'))
  await user.type(field, 'ada@example.org')
  unreachable(changeRoundGuests)
  await user.click(button('consoleRounds.guests.remove.now'))
  expect(await screen.findByText(t('errors.offline'))).toBeVisible()
  expect(field).toHaveValue('ada@example.org')
})

test('lists the allow-lists of all rounds with the names of the rounds', async () => {
  await signedIn({ manageCoins: 2 })
  answering(listSaleRounds, [row])
  answeringPage(listRoundGuests, [
    { id: 'g1', roundId: 'r1', email: 'ada@example.org', addedBy: null, addedAt: settings.lastUpdated! },
  ])
  await showPage('/console/sale/guests?round=r1')
  expect(await screen.findByRole('link', { name: 'Private' })).toHaveAttribute(
    'href',
    '/console/sale/rounds/r1#guests',
  )
  expect(callsOf(listRoundGuests).at(-1)).toMatchObject({ query: { round: 'r1' } })
})
