// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
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
import { dueAfter } from '#contract/money/vesting.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringPage, callsOf, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { formatDate } from '../../kernel/i18n/interpolate.ts'

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

async function open(
  id = 'r1',
  saved = withRound,
  level: 1 | 2 = 2,
  language: 'en' | 'cn' = 'en',
  shown = row,
) {
  await signedIn({ id: 'me', manageCoins: level })
  answering(getSaleSettings, saved)
  answering(getSaleRound, shown)
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

const plan = () => screen.getByLabelText(t('consoleRounds.vesting.kind'))
const example = (words = t) =>
  within(screen.getByRole('region', { name: words('consoleRounds.vesting.example', { quantity: '1,000' }) }))
const amountsShown = () =>
  example()
    .getAllByRole('definition')
    .map((each) => each.textContent.replaceAll(/[^\d.]/g, ''))
const total = (amounts: readonly string[]) =>
  writeDecimal(amounts.reduce((sum, each) => sum + parseDecimal(each), 0n))

test.each(['en', 'cn'] as const)(
  'shows the vesting plan as dates and amounts of an example, in %s',
  async (language) => {
    const words = wordsOf(language)
    const { user } = await open('r1', withRound, 2, language)
    await user.click(
      screen.getByRole('button', { name: language === 'en' ? 'Show all 10 deliveries' : /^显示全部 10/ }),
    )
    const rows = example(words).getAllByRole('term')
    expect(rows).toHaveLength(10)
    expect(rows[0]).toHaveTextContent(words('saleRounds.due.first'))
    expect(rows[1]).toHaveTextContent(language === 'en' ? '4 months after completion' : '订单完成 4 个月后')
    const due = dueAfter(new Date(), { after: 4, unit: 'months' }).toISOString()
    expect(rows[1]!.textContent).toContain(formatDate(due, language))
    const amounts = example(words).getAllByRole('definition')
    expect(new Set(amounts.map((each) => each.textContent))).toEqual(
      new Set([t('saleRounds.amount', { quantity: '100' })]),
    )
  },
)

test('equal parts sum up to the last digit, and start after the wait', async () => {
  const { user, type } = await open()
  await type('consoleRounds.vesting.first', '0')
  await type('consoleRounds.vesting.parts', '3')
  await type('consoleRounds.vesting.wait', '0')
  await user.selectOptions(screen.getByLabelText(t('consoleRounds.vesting.every')), 'days')
  expect(amountsShown()).toEqual(['333.33333333', '333.33333333', '333.33333334'])
  expect(total(amountsShown())).toBe('1000')
  expect(example().getAllByRole('term')[0]).toHaveTextContent('1 day after completion')
  await type('consoleRounds.vesting.parts', '')
  expect(screen.getByText(t('consoleRounds.vesting.noExample'))).toBeVisible()
  await user.click(button('consoleSale.review'))
  expect(screen.getByLabelText(t('consoleRounds.vesting.parts'))).toHaveAccessibleDescription(
    expect.stringContaining(t('field.number')),
  )
})

test('a plan of parts is edited part by part, and everything at once has no parts', async () => {
  const { user } = await open()
  await user.selectOptions(plan(), 'tranches')
  await user.click(button('consoleRounds.vesting.part.add'))
  const shares = () => screen.getAllByLabelText(t('consoleRounds.vesting.percent'))
  await user.clear(shares()[0]!)
  await user.type(shares()[0]!, '33,5')
  await user.type(shares()[1]!, '46.5')
  await user.type(screen.getAllByLabelText(t('consoleRounds.vesting.after'))[1]!, '60')
  await user.selectOptions(screen.getAllByLabelText(t('consoleRounds.vesting.unit'))[1]!, 'days')
  expect(screen.getByText(t('field.not_ascending'))).toBeVisible()
  await user.selectOptions(screen.getAllByLabelText(t('consoleRounds.vesting.unit'))[1]!, 'months')
  expect(amountsShown()).toEqual(['200', '335', '465'])
  await user.click(button('consoleRounds.vesting.part.remove', { number: 2 }))
  expect(shares()).toHaveLength(1)
  await user.selectOptions(plan(), 'once')
  expect(amountsShown()).toEqual(['1000'])
  expect(screen.queryByLabelText(t('consoleRounds.vesting.percent'))).toBeNull()
})

test('a plan whose parts do not add up shows no example and is not sent', async () => {
  const { user } = await open()
  await user.selectOptions(plan(), 'tranches')
  const share = screen.getByLabelText(t('consoleRounds.vesting.percent'))
  await user.clear(share)
  await user.type(share, '70')
  expect(screen.getByText(t('field.not_whole'))).toBeVisible()
  await user.click(button('consoleSale.review'))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByLabelText(t('consoleRounds.vesting.first'))).toHaveAccessibleDescription(
    expect.stringContaining(t('field.not_whole')),
  )
  await user.clear(share)
  await user.type(share, '80')
  expect(amountsShown()).toEqual(['200', '800'])
  const dialog = await review(user)
  expect(dialog.getByText('20% when the order is completed, 80% after 3 months')).toBeVisible()
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

test('each field of a round is sent as it was edited', async () => {
  const { user, type } = await open()
  await type('consoleRounds.nameEn', 'Seed')
  await type('consoleRounds.nameCn', '种子轮')
  await type('consoleRounds.cap', '5,5')
  await type('consoleSale.memberCap', '100')
  await type('consoleSale.method.minAmount', '0.02')
  await type('consoleSale.method.maxAmount', '')
  await user.type(screen.getByLabelText(t('consoleSale.method.maxAmount'), { exact: false }), '3')
  await user.click(screen.getByRole('radio', { name: t('consoleRounds.admission.approved') }))
  fireEvent.change(screen.getByLabelText(t('consoleSale.closesAt'), { exact: false }), {
    target: { value: '2036-07-01T10:00' },
  })
  const dialog = await review(user)
  for (const words of ['Seed', '种子轮', t('consoleRounds.admission.approved')])
    expect(dialog.getByText(words)).toBeVisible()
  answering(updateSaleSettings, withRound)
  await user.click(dialog.getByRole('button', { name: t('consoleSale.save') }))
  await waitFor(() => expect(callsOf(updateSaleSettings)).toHaveLength(1))
  expect(sent().rounds).toEqual([
    {
      ...round,
      name: { en: 'Seed', cn: '种子轮' },
      closesAt: new Date('2036-07-01T10:00').toISOString(),
      cap: '5.5',
      memberCap: '100',
      admission: 'approved',
      prices: [{ code: 'BTC', rate: '150000', minAmount: '0.02', maxAmount: '3' }],
    },
  ])
})

test('a change by a colleague is compared field by field, and their other settings are kept', async () => {
  const { user, type } = await open()
  await type('consoleRounds.cap', '5')
  const theirs = {
    ...withRound,
    quoteMinutes: 30,
    rounds: [{ ...round, cap: '7' }],
    lastUpdated: '2036-05-02T10:00:00.000Z',
  }
  refusing(updateSaleSettings, 'conflict')
  answering(getSaleSettings, theirs)
  const dialog = await review(user)
  await user.click(dialog.getByRole('button', { name: t('consoleSale.save') }))
  const clash = within(await screen.findByRole('form', { name: t('consoleSale.clash') }))
  expect(clash.getByRole('group', { name: t('consoleRounds.cap') })).toBeVisible()
  await user.click(clash.getByRole('button', { name: t('consoleSale.clash.goOn') }))
  const again = await review(user)
  answering(updateSaleSettings, theirs)
  await user.click(again.getByRole('button', { name: t('consoleSale.save') }))
  await waitFor(() => expect(callsOf(updateSaleSettings)).toHaveLength(2))
  expect(callsOf(updateSaleSettings)[1]!.body).toMatchObject({
    quoteMinutes: 30,
    lastUpdated: theirs.lastUpdated,
    rounds: [{ ...round, cap: '5' }],
  })
})

test('with four eyes, the review says so, and the proposal is announced', async () => {
  const proposal = {
    id: 'p',
    by: { id: 'me', name: 'Me' },
    at: settings.lastUpdated!,
    expiresAt: settings.lastUpdated!,
    changes: [],
  }
  const { user, type } = await open('r1', { ...withRound, takesTwo: true })
  await type('consoleRounds.cap', '5')
  const dialog = await review(user)
  expect(dialog.getByText(t('consoleSale.terms.takesTwo'))).toBeVisible()
  answering(updateSaleSettings, { ...withRound, takesTwo: true, proposal })
  await user.click(dialog.getByRole('button', { name: t('consoleSale.save') }))
  expect(await screen.findByText(t('consoleSale.proposed'))).toBeVisible()
})

test('a proposal for a round is shown with its name and readable values', async () => {
  await signedIn({ id: 'me', manageCoins: 2 })
  answering(getSaleSettings, {
    ...withRound,
    proposal: {
      id: 'p',
      by: { id: 'other', name: 'Other' },
      at: settings.lastUpdated!,
      expiresAt: settings.lastUpdated!,
      changes: [
        { path: 'r1/BTC.rate', from: '150000', to: '300000' },
        { path: 'new/nameEn', from: null, to: 'Public 1' },
        { path: 'new/nameCn', from: null, to: '公募一轮' },
        { path: 'new/opensAt', from: null, to: '' },
        { path: 'rounds', from: '["r1"]', to: '["r1","new"]' },
      ],
    },
  })
  await showPage('/console/sale')
  const card = within(await screen.findByRole('region', { name: t('consoleSale.proposal') }))
  const of = (name: string, field: string) => t('consoleRounds.ofRound', { round: name, field })
  const rate = t('consoleSale.ofMethod', { code: 'BTC', field: t('consoleSale.method.rate') })
  expect(card.getByText(of('Private', rate))).toBeVisible()
  expect(card.getByText(of('Public 1', t('consoleRounds.nameEn')))).toBeVisible()
  expect(card.getByText('Private, Public 1')).toBeVisible()
  expect(card.queryByText(of('Public 1', t('consoleSale.opensAt')))).toBeNull()
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
  const own = screen.getByRole('checkbox', { name: t('consoleRounds.prices.own.label') })
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
  await user.click(button('consoleRounds.copy.now'))
  answering(updateSaleSettings, withRound)
  answeringPage(listSaleRounds, [])
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
  expect(within(country).queryByRole('option', { name: 'United States' })).toBeNull()
  await user.selectOptions(country, 'Canada')
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

test('a round without orders is deleted after a confirmation', async () => {
  const { user } = await open('r1', withRound, 2, 'en', { ...row, orders: 0 })
  await user.click(button('consoleRounds.remove.ask'))
  const dialog = within(await screen.findByRole('dialog'))
  const remove = dialog.getByRole('button', { name: t('consoleRounds.remove') })
  refusing(updateSaleSettings, 'conflict')
  await user.click(remove)
  expect(await dialog.findByText('refused: conflict')).toBeVisible()
  answering(updateSaleSettings, settings)
  answeringPage(listSaleRounds, [])
  await user.click(remove)
  expect(await screen.findByText(t('consoleSale.saved'))).toBeVisible()
  expect(sent().rounds).toEqual([])
})

test('a round with orders has no button to delete it', async () => {
  await open()
  expect(screen.queryByRole('button', { name: t('consoleRounds.remove.ask') })).toBeNull()
})

test('adds pasted addresses to the allow-list, and names one that is not an address', async () => {
  const { user } = await open()
  expect(await screen.findByText(t('consoleRounds.guests.none'))).toBeVisible()
  const field = screen.getByLabelText(t('consoleRounds.guests.emails'))
  await user.click(button('consoleRounds.guests.add.now'))
  expect(field).toHaveAccessibleDescription(expect.stringContaining(t('consoleRounds.guests.missing')))
  await user.click(field)
  await user.paste('ada@example.org\nnobody, bob@example.org\n\n@')
  await user.click(button('consoleRounds.guests.add.now'))
  expect(field).toHaveAccessibleDescription(
    expect.stringContaining('These aren’t email addresses: line 2 “nobody”, line 4 “@”.'),
  )
  expect(field).toHaveValue('ada@example.org\nnobody, bob@example.org\n\n@')
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

test('at most 500 addresses are sent at a time', async () => {
  const { user } = await open()
  const field = screen.getByLabelText(t('consoleRounds.guests.emails'))
  const addresses = Array.from({ length: 501 }, (_, index) => `member${index}@example.org`)
  await user.click(field)
  await user.paste(addresses.join('\n'))
  await user.click(button('consoleRounds.guests.add.now'))
  expect(field).toHaveAccessibleDescription(
    expect.stringContaining(t('consoleRounds.guests.tooMany', { max: 500, count: 501 })),
  )
  await user.clear(field)
  await user.paste(addresses.slice(0, 500).join(' '))
  answering(changeRoundGuests, { added: 499, removed: 0 })
  await user.click(button('consoleRounds.guests.add.now'))
  expect(await screen.findByText(t('consoleRounds.guests.add.done', { count: 499 }))).toBeVisible()
  expect((callsOf(changeRoundGuests).at(-1)!.body as { add: string[] }).add).toHaveLength(500)
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
