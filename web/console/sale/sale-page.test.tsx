// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listFourEyes } from '#contract/people/four-eyes.ts'
import {
  confirmSaleProposal,
  declineSaleProposal,
  listAddressChanges,
} from '#contract/money/sale-proposals.ts'
import { getSaleSettings, updateSaleSettings, type SaleSettings } from '#contract/money/sale.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

beforeEach(() => answering(listFourEyes, []))

const t = wordsOf('en')
const btc: SaleSettings['payMethods'][number] = {
  code: 'BTC',
  chain: 'bitcoin',
  currency: 'BTC',
  isOpen: true,
  rate: '120000',
  decimals: 8,
  minAmount: '0.001',
  maxAmount: '5',
  receivingAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
}
const settings: SaleSettings = {
  isOpen: true,
  quoteMinutes: 15,
  opensAt: null,
  closesAt: null,
  cap: null,
  memberCap: null,
  payMethods: [btc],
  rounds: [],
  sold: null,
  proposal: null,
  takesTwo: false,
  rateChangePercent: 20,
  rateReferences: [],
  lastUpdated: '2036-05-01T10:00:00.000Z',
}
const other = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'

async function open(saved: SaleSettings = settings, level: 1 | 2 = 2) {
  await signedIn({ id: 'me', manageCoins: level })
  answering(listAddressChanges, [])
  answering(getSaleSettings, saved)
  const { user } = await showPage('/console/sale')
  await screen.findByRole('heading', { name: t('consoleSale.payMethods') })
  const type = async (label: string, text: string) => {
    const field = screen.getByLabelText(t(label), { exact: false })
    await user.clear(field)
    if (text !== '') await user.type(field, text)
  }
  return { user, type }
}
const button = (label: string) => screen.getByRole('button', { name: t(label) })
const rate = () => screen.getByLabelText(t('consoleSale.method.rate'))
const dialog = async (title: string) => within(await screen.findByRole('dialog', { name: t(title) }))

test('reads a decimal comma in a rate as the decimal point', async () => {
  const { user, type } = await open()
  await type('consoleSale.method.rate', '120000,5')
  await user.tab()
  expect(rate()).toHaveValue('120000.5')
})

test("changes are reviewed before saving, with their effect on the editor's own orders", async () => {
  const { user, type } = await open()
  expect(button('consoleSale.review')).toBeDisabled()
  expect(screen.getByText(t('consoleSale.ownPrice'))).toBeVisible()
  await type('consoleSale.method.rate', '130000')
  await user.click(button('consoleSale.review'))
  const review = await dialog('consoleSale.save.title')
  expect(review.getByText('120000')).toBeVisible()
  expect(review.getByText('130000')).toBeVisible()
  expect(review.getByText(t('consoleSale.ownPrice'))).toBeVisible()
  expect(review.queryByText(t('consoleSale.address.changes'))).toBeNull()
  const saved = {
    ...settings,
    payMethods: [{ ...btc, rate: '130000' }],
    lastUpdated: '2036-05-02T10:00:00.000Z',
  }
  answering(updateSaleSettings, saved)
  await user.click(review.getByRole('button', { name: t('consoleSale.save') }))
  expect(await screen.findByText(t('consoleSale.saved'))).toBeVisible()
  const {
    sold: _,
    rounds: ______,
    proposal: __,
    takesTwo: ___,
    rateChangePercent: ____,
    rateReferences: _____,
    lastUpdated,
    ...terms
  } = settings
  expect(callsOf(updateSaleSettings).map(({ body }) => body)).toEqual([
    { ...terms, payMethods: [{ ...btc, rate: '130000' }], lastUpdated },
  ])
  await waitFor(() => expect(button('consoleSale.review')).toBeDisabled())
  expect(rate()).toHaveValue('130000')
})

test('a rate with two digits too many is saved only after it was typed again, next to both values and the percentage', async () => {
  const { user, type } = await open()
  await type('consoleSale.method.rate', '12000000')
  await user.click(button('consoleSale.review'))
  const review = await dialog('consoleSale.save.title')
  expect(review.getByText(/120000 .*12000000 .*\+9900%/)).toBeVisible()
  answering(updateSaleSettings, settings)
  const typed = review.getByLabelText(t('consoleSale.rate.type', { code: 'BTC' }))
  const save = review.getByRole('button', { name: t('consoleSale.save') })
  const wrong = t('consoleSale.rate.type.wrong', { to: '12000000' })
  for (const text of ['', '120000']) {
    await user.clear(typed)
    if (text) await user.type(typed, text)
    await user.click(save)
    expect(typed).toHaveAccessibleDescription(expect.stringContaining(wrong))
  }
  expect(callsOf(updateSaleSettings)).toEqual([])
  await user.clear(typed)
  await user.type(typed, '12000000')
  await user.click(save)
  await waitFor(() => expect(callsOf(updateSaleSettings)).toHaveLength(1))
  expect(callsOf(updateSaleSettings)[0]!.body).toMatchObject({ confirmedRates: { BTC: '12000000' } })
})

test('a new receiving address shows its consequences before saving, and whether it needs approval', async () => {
  const { user, type } = await open({ ...settings, takesTwo: true })
  await type('consoleSale.method.receivingAddress', other)
  await user.click(button('consoleSale.review'))
  const review = await dialog('consoleSale.save.title')
  expect(review.getByText(t('consoleSale.address.takesTwo'))).toBeVisible()
  answering(updateSaleSettings, {
    ...settings,
    takesTwo: true,
    proposal: {
      id: 'p',
      by: { id: 'me', name: 'Me' },
      at: settings.lastUpdated!,
      expiresAt: settings.lastUpdated!,
      changes: [{ path: 'BTC.receivingAddress', from: btc.receivingAddress, to: other }],
    },
  })
  await user.click(review.getByRole('button', { name: t('consoleSale.save') }))
  expect(await screen.findByText(t('consoleSale.proposed'))).toBeVisible()
  expect(await screen.findByText(t('consoleSale.proposal.own'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleSale.proposal.confirm') })).toBeNull()
})

test('invalid input is reported at its field, before and after sending', async () => {
  const { user, type } = await open()
  await type('consoleSale.method.rate', '1e5')
  await type('consoleSale.quoteMinutes', '')
  await user.click(button('consoleSale.review'))
  expect(rate()).toHaveAccessibleDescription(expect.stringContaining(t('field.number')))
  expect(screen.getByLabelText(t('consoleSale.quoteMinutes'))).toHaveAccessibleDescription(
    expect.stringContaining(t('field.number')),
  )
  expect(callsOf(updateSaleSettings)).toEqual([])
  await type('consoleSale.method.rate', '100000')
  await type('consoleSale.quoteMinutes', '15')
  const address = screen.getByLabelText(t('consoleSale.method.receivingAddress'))
  const good = (address as HTMLInputElement).value
  await type('consoleSale.method.receivingAddress', 'nowhere')
  await user.click(button('consoleSale.review'))
  expect(address).toHaveAccessibleDescription(expect.stringContaining(t('field.address_length')))
  await type('consoleSale.method.receivingAddress', good)
  await type('consoleSale.method.maxAmount', '0.0001')
  await user.click(button('consoleSale.review'))
  const errors = [{ path: 'payMethods.0.maxAmount', code: 'too_little' as const, message: 'No such amount.' }]
  refusing(updateSaleSettings, 'validation_failed', { errors })
  await user.click(
    (await dialog('consoleSale.save.title')).getByRole('button', { name: t('consoleSale.save') }),
  )
  const amount = screen.getByLabelText(t('consoleSale.method.maxAmount'))
  await waitFor(() => expect(amount).toHaveAccessibleDescription(expect.stringContaining('No such amount.')))
  expect(amount).toHaveValue('0.0001')
})

test.each([
  ['a right that is lost meanwhile', () => refusing(updateSaleSettings, 'forbidden'), 'refused: forbidden'],
  ['a connection that is lost', () => unreachable(updateSaleSettings), t('errors.offline')],
])('%s is reported, and no input is lost, even when the page is opened again', async (_, fail, words) => {
  const { user, type } = await open()
  await type('consoleSale.method.rate', '130000')
  await user.click(button('consoleSale.review'))
  fail()
  const review = await dialog('consoleSale.save.title')
  await user.click(review.getByRole('button', { name: t('consoleSale.save') }))
  expect(await review.findByText(words)).toBeVisible()
  await user.click(review.getByRole('button', { name: t('consoleSale.back') }))
  expect(rate()).toHaveValue('130000')
  await showPage('/console/sale')
  expect((await screen.findAllByText(t('consoleSale.restored'), { exact: false })).length).toBeGreaterThan(0)
  expect(screen.getAllByLabelText(t('consoleSale.method.rate')).at(-1)).toHaveValue('130000')
})

test('values saved by a colleague appear next to the input, and the choice continues in the form', async () => {
  const { user, type } = await open()
  await type('consoleSale.method.rate', '130000')
  await user.click(button('consoleSale.review'))
  refusing(updateSaleSettings, 'conflict')
  const theirs = {
    ...settings,
    quoteMinutes: 30,
    payMethods: [
      { ...btc, rate: '110000' },
      { ...btc, code: 'LTC', chain: 'other' as const },
    ],
    lastUpdated: '2036-05-03T10:00:00.000Z',
  }
  answering(getSaleSettings, theirs)
  await user.click(
    (await dialog('consoleSale.save.title')).getByRole('button', { name: t('consoleSale.save') }),
  )
  expect(await screen.findByRole('alert')).toHaveTextContent(t('consoleSale.clash'))
  const named = (label: string) =>
    within(screen.getByRole('group', { name: label }))
      .getAllByRole('radio')
      .map((radio) => (radio as HTMLInputElement).checked)
  const label = t('consoleSale.ofMethod', { code: 'BTC', field: t('consoleSale.method.rate') })
  // Values changed here are preselected as typed. Values changed only elsewhere are preselected as saved.
  expect(named(label)).toEqual([true, false])
  expect(named(t('consoleSale.quoteMinutes'))).toEqual([false, true])
  expect(named(t('consoleSale.payMethods'))).toEqual([false, true])
  await user.click(button('consoleSale.clash.goOn'))
  const rates = await screen.findAllByLabelText(t('consoleSale.method.rate'))
  expect(rates.map((field) => (field as HTMLInputElement).value)).toEqual(['130000', '120000'])
  answering(updateSaleSettings, { ...theirs, lastUpdated: '2036-05-04T10:00:00.000Z' })
  await user.click(button('consoleSale.review'))
  await user.click(
    (await dialog('consoleSale.save.title')).getByRole('button', { name: t('consoleSale.save') }),
  )
  await waitFor(() => expect(callsOf(updateSaleSettings)).toHaveLength(2))
  expect(callsOf(updateSaleSettings)[1]!.body).toMatchObject({
    quoteMinutes: 30,
    lastUpdated: theirs.lastUpdated,
    payMethods: [{ rate: '130000' }, { code: 'LTC' }],
  })
})

test('a save whose answer was lost is recognized as done', async () => {
  const { user, type } = await open()
  await type('consoleSale.method.rate', '130000')
  refusing(updateSaleSettings, 'conflict')
  answering(getSaleSettings, {
    ...settings,
    payMethods: [{ ...btc, rate: '130000' }],
    lastUpdated: '2036-05-03T10:00:00.000Z',
  })
  await user.click(button('consoleSale.review'))
  await user.click(
    (await dialog('consoleSale.save.title')).getByRole('button', { name: t('consoleSale.save') }),
  )
  expect(await screen.findByText(t('consoleSale.saved'))).toBeVisible()
})

test('a payment method is added by its code, removed, and restored unchanged', async () => {
  const { user, type } = await open()
  await type('consoleSale.method.add.code', 'BTC')
  expect(screen.getByText(t('consoleSale.method.add.taken'))).toBeVisible()
  await type('consoleSale.method.add.code', 'ETH')
  await user.click(button('consoleSale.method.add'))
  expect(screen.getByRole('group', { name: /^ETH/ })).toBeVisible()
  await user.click(screen.getByRole('button', { name: t('consoleSale.method.removeNamed', { code: 'ETH' }) }))
  expect(button('consoleSale.review')).toBeDisabled()
  await user.click(screen.getByRole('button', { name: t('consoleSale.method.removeNamed', { code: 'BTC' }) }))
  expect(screen.getByText(t('consoleSale.payMethods.none'))).toBeVisible()
  await type('consoleSale.method.add.code', 'BTC')
  await user.click(button('consoleSale.method.add'))
  expect(rate()).toHaveValue('120000')
  expect(button('consoleSale.review')).toBeDisabled()
})

test('readers see all settings and can change none', async () => {
  await open(settings, 1)
  // Shown as text, which wraps, because an input cuts off a long address.
  expect(screen.getByLabelText(t('consoleSale.method.receivingAddress'))).toHaveTextContent(
    btc.receivingAddress,
  )
  expect(screen.queryAllByRole('textbox')).toEqual([])
  expect(screen.getByText(t('consoleSale.readOnly'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleSale.review') })).toBeNull()
})

const proposed: SaleSettings = {
  ...settings,
  takesTwo: true,
  proposal: {
    id: 'p',
    by: { id: 'grace', name: 'Grace' },
    at: '2036-05-02T10:00:00.000Z',
    expiresAt: '2036-05-05T10:00:00.000Z',
    changes: [{ path: 'BTC.receivingAddress', from: btc.receivingAddress, to: other }],
  },
}

test('a second person compares both addresses and approves', async () => {
  const { user } = await open(proposed)
  expect(screen.getAllByText(other)[0]).toBeVisible()
  expect(screen.getByText(t('consoleSale.endsProposal'))).toBeVisible()
  await user.click(button('consoleSale.proposal.confirm'))
  const asked = await dialog('consoleSale.proposal.confirm.address.title')
  expect(asked.getByText(other)).toBeVisible()
  answering(confirmSaleProposal, {
    ...settings,
    takesTwo: true,
    payMethods: [{ ...btc, receivingAddress: other }],
    lastUpdated: '2036-05-03T10:00:00.000Z',
  })
  await user.click(asked.getByRole('button', { name: t('consoleSale.proposal.confirm.now') }))
  expect(await screen.findByText(t('consoleSale.proposal.confirmed'))).toBeVisible()
  expect(callsOf(confirmSaleProposal).map(({ params }) => params)).toEqual([{ id: 'p' }])
  expect(screen.queryByRole('heading', { name: t('consoleSale.proposal.address') })).toBeNull()
  expect(screen.getByLabelText(t('consoleSale.method.receivingAddress'))).toHaveValue(other)
})

test('a proposed rate is not called a receiving address', async () => {
  const changes = [{ path: 'BTC.rate', from: btc.rate, to: '200000' }]
  const { user } = await open({ ...proposed, proposal: { ...proposed.proposal!, changes } })
  expect(screen.getByRole('heading', { name: t('consoleSale.proposal') })).toBeVisible()
  await user.click(button('consoleSale.proposal.confirm'))
  const asked = await dialog('consoleSale.proposal.confirm.title')
  expect(asked.getByText(t('consoleSale.proposal.confirm.text'))).toBeVisible()
  expect(asked.getByText('200000')).toBeVisible()
})

test('a second person declines with a reason', async () => {
  const { user } = await open(proposed)
  await user.click(button('consoleSale.proposal.decline'))
  const asked = await dialog('consoleSale.proposal.decline.title')
  await user.click(asked.getByRole('button', { name: t('consoleSale.proposal.decline.now') }))
  expect(asked.getByText(t('consoleSale.proposal.reason.missing'))).toBeVisible()
  expect(callsOf(declineSaleProposal)).toEqual([])
  answeringInTurn(declineSaleProposal, { ...settings, takesTwo: true })
  await user.type(asked.getByLabelText(t('consoleSale.proposal.reason')), 'Not ours.')
  await user.click(asked.getByRole('button', { name: t('consoleSale.proposal.decline.now') }))
  expect(await screen.findByText(t('consoleSale.proposal.declined'))).toBeVisible()
  expect(callsOf(declineSaleProposal).map(({ body }) => body)).toEqual([{ reason: 'Not ours.' }])
})
