// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listFourEyes } from '#contract/people/four-eyes.ts'
import { getAppRecord, updateAppRecord, type AppRecord } from '#contract/people/apps.ts'
import { listAddressChanges, restoreSettingVersion } from '#contract/money/sale-proposals.ts'
import { getSaleSettings, type SaleSettings } from '#contract/money/sale.ts'
import { flattenSale } from '#contract/money/flat-sale.ts'
import { getSettingVersion, listSettingVersions, type SettingVersion } from '#contract/people/settings.ts'
import { show, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { AddressBanner } from './address-banner.tsx'

beforeEach(() => answering(listFourEyes, []))

const t = wordsOf('en')
const at = '2036-05-06T10:00:00.000Z'
const version: SettingVersion = {
  id: '7',
  subject: 'sale',
  at,
  by: { id: 'grace', name: 'Grace' },
  confirmedBy: null,
  restoredId: null,
  rounds: {},
  changes: [{ path: 'BTC.rate', from: '120000', to: '125000' }],
}
const settings: SaleSettings = {
  isOpen: true,
  quoteMinutes: 15,
  opensAt: null,
  closesAt: null,
  cap: null,
  memberCap: null,
  payMethods: [],
  rounds: [],
  sold: null,
  proposal: null,
  takesTwo: false,
  rateChangePercent: 20,
  rateReferences: [],
  lastUpdated: at,
}

test("the list shows who changed a coin's rate on a day, filtered by the page address", async () => {
  await signedIn({ manageCoins: 1 })
  answering(listSettingVersions, [version])
  await showPage('/console/sale/history?field=rate&method=btc&from=2036-05-06&to=2036-05-06')
  expect(await screen.findByText('Grace')).toBeVisible()
  const label = t('consoleSale.ofMethod', { code: 'BTC', field: t('consoleSale.method.rate') })
  expect(
    screen.getByText(t('consoleSale.history.change', { label, from: '120000', to: '125000' })),
  ).toBeVisible()
  expect(callsOf(listSettingVersions)[0]!.query).toMatchObject({
    field: 'rate',
    method: 'btc',
    from: '2036-05-06',
    to: '2036-05-06',
  })
})

const ofRounds: SettingVersion = {
  ...version,
  rounds: { r1: { en: 'Private', cn: '私募轮' }, r2: { en: 'Gone', cn: '旧轮' } },
  changes: [
    { path: 'r1/BTC.rate', from: '120000', to: '150000' },
    {
      path: 'r1/vesting',
      from: '{"first":"100","later":null}',
      to: '{"first":"10","later":{"kind":"linear","wait":0,"parts":9,"unit":"months"}}',
    },
    { path: 'r1/excludedCountries', from: '[]', to: '["US"]' },
    { path: 'r2/nameEn', from: 'Gone', to: null },
    { path: 'rounds', from: '["r1","r2"]', to: '["r1"]' },
  ],
}

test.each(['en', 'cn'] as const)(
  'the settings of rounds have the names of the rounds and readable values, in %s',
  async (language) => {
    const t = wordsOf(language)
    await signedIn({ manageCoins: 1 })
    answering(getSaleSettings, settings)
    answering(getSettingVersion, { ...ofRounds, state: [], isCurrent: false })
    await showPage('/console/sale/history/7', language)
    const changes = within((await screen.findAllByText(t('console.nav.saleRounds')))[0]!.closest('dl')!)
    const round = ofRounds.rounds['r1']![language]
    const label = (field: string) => t('consoleRounds.ofRound', { round, field })
    const rate = t('consoleSale.ofMethod', { code: 'BTC', field: t('consoleSale.method.rate') })
    expect(changes.getByText(label(rate))).toBeVisible()
    expect(changes.getByText(label(t('consoleRounds.vesting')))).toBeVisible()
    expect(changes.getByText(label(t('consoleRounds.countries')))).toBeVisible()
    expect(changes.getByText(language === 'en' ? 'United States' : '美国')).toBeVisible()
    expect(changes.getByText(/^10% .* 9 equal|^订单完成时发放 10%，90% 分 9 期/)).toBeVisible()
    expect(changes.getByText(language === 'en' ? 'Private, Gone' : '私募轮、旧轮')).toBeVisible()
    // The name of the removed round is enough.
    expect(changes.getAllByRole('term')).toHaveLength(4)
  },
)

test('a state from before there were rounds leaves them as they are', async () => {
  await signedIn({ manageCoins: 2 })
  const rounds = [
    {
      id: 'r1',
      name: { en: 'Private', cn: '私募轮' },
      opensAt: null,
      closesAt: null,
      cap: null,
      memberCap: null,
      admission: 'approved' as const,
      excludedCountries: [],
      bonus: [],
      vesting: { first: '100', later: null },
      prices: [],
    },
  ]
  answering(getSaleSettings, { ...settings, rounds })
  const { rounds: _, ...older } = settings
  const state = Object.entries(flattenSale({ ...older, quoteMinutes: 30 })).map(([path, value]) => ({
    path,
    value,
  }))
  answering(getSettingVersion, { ...version, state, isCurrent: false })
  const { user } = await showPage('/console/sale/history/7')
  await user.click(await screen.findByRole('button', { name: t('consoleSale.restore') }))
  const dialog = within(await screen.findByRole('dialog', { name: t('consoleSale.restore.title') }))
  expect(dialog.getAllByRole('term').map((each) => each.textContent)).toEqual([t('consoleSale.quoteMinutes')])
})

test('an earlier state is restored after its changes were reviewed', async () => {
  await signedIn({ manageCoins: 2 })
  answering(listAddressChanges, [])
  answering(getSaleSettings, settings)
  const state = Object.entries(flattenSale({ ...settings, quoteMinutes: 30 })).map(([path, value]) => ({
    path,
    value,
  }))
  answering(getSettingVersion, { ...version, state, isCurrent: false })
  const { user } = await showPage('/console/sale/history/7')
  await user.click(await screen.findByRole('button', { name: t('consoleSale.restore') }))
  const dialog = within(await screen.findByRole('dialog', { name: t('consoleSale.restore.title') }))
  expect(dialog.getByText('30')).toBeVisible()
  expect(dialog.getByText(t('consoleSale.ownPrice'))).toBeVisible()
  answering(restoreSettingVersion, { isProposed: false })
  await user.click(dialog.getByRole('button', { name: t('consoleSale.restore.now') }))
  expect(await screen.findByText(t('consoleSale.restore.done'))).toBeVisible()
  expect(callsOf(restoreSettingVersion)).toMatchObject([
    { params: { id: '7' }, body: { lastUpdated: settings.lastUpdated } },
  ])
})

test("for a day all staff see on every page that receiving addresses changed; members don't", async () => {
  const change = {
    id: '7 BTC',
    code: 'BTC',
    field: 'receivingAddress' as const,
    from: 'old',
    to: 'new',
    at,
    by: version.by,
    confirmedBy: null,
  }
  answering(listAddressChanges, [change])
  await signedIn({ manageNews: 1 })
  show(<AddressBanner />)
  const banner = within(await screen.findByRole('region', { name: t('console.addresses.heading') }))
  expect(banner.getByText('old')).toBeVisible()
  expect(banner.getByText('new')).toBeVisible()
  expect(banner.getByText(/Grace/)).toBeVisible()
})

test('the application record is edited in rows and saved as a whole', async () => {
  const record: AppRecord = {
    name: 'Sample',
    fullName: 'Sample coin',
    contact: 'hello@example.org',
    coins: [{ symbol: 'SMP' }],
    docs: [],
    isEdited: false,
    lastUpdated: at,
  }
  await signedIn({ manageCoins: 2 })
  answering(getAppRecord, record)
  const { user } = await showPage('/console/app-record')
  await user.click(await screen.findByRole('button', { name: t('consoleSale.app.docs.add') }))
  await user.type(screen.getByLabelText(t('consoleSale.app.doc.url')), 'https://example.org/a.pdf')
  await user.type(screen.getByLabelText(t('consoleSale.app.doc.type')), 'pdf')
  await user.click(screen.getByRole('button', { name: t('consoleSale.review') }))
  // A document needs a name.
  expect(screen.getAllByLabelText(t('consoleSale.app.doc.name')).at(-1)).toHaveAttribute('aria-invalid')
  await user.type(screen.getAllByLabelText(t('consoleSale.app.doc.name')).at(-1)!, 'Terms')
  await user.click(screen.getByRole('button', { name: t('consoleSale.review') }))
  const dialog = within(await screen.findByRole('dialog'))
  const docs = [{ name: 'Terms', type: 'pdf', url: 'https://example.org/a.pdf' }]
  answering(updateAppRecord, { ...record, docs, isEdited: true, lastUpdated: '2036-05-07T10:00:00.000Z' })
  await user.click(dialog.getByRole('button', { name: t('consoleSale.save') }))
  expect(await screen.findByText(t('consoleSale.saved'))).toBeVisible()
  const { isEdited: _, ...given } = record
  expect(callsOf(updateAppRecord).map(({ body }) => body)).toEqual([{ ...given, docs }])
})
