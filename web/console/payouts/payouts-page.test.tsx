// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listPayoutTransfers } from '#contract/money/payout-transfers.ts'
import { getPayoutHold, holdPayouts, listPayouts, resumePayouts } from '#contract/money/payouts.ts'
import { aHold, aPayout } from '#tests/setup/a-payout.ts'
import { aMember, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const button = (key: string) => screen.queryByRole('button', { name: t(key) })
const dialog = () => within(screen.getByRole('dialog'))

beforeEach(() => answering(listPayoutTransfers, { transfers: [], dismissed: [], explorer: null }))

test.each(['en', 'cn'] as const)('lists runs with status and total (%s)', async (language) => {
  const words = wordsOf(language)
  answering(getPayoutHold, { hold: null })
  answering(listPayouts, [aPayout({ state: 'partly_sent', total: '1234.00000001' })])
  await signedIn({ manageFinance: 1 })
  await showPage('/console/payouts', language)
  const table = within(await screen.findByRole('table'))
  expect(table.getByRole('link', { name: /\b7\b/ })).toHaveAttribute(
    'href',
    expect.stringMatching(/payouts\/p7$/),
  )
  expect(table.getByText(words('consolePayouts.state.partly_sent'))).toBeVisible()
  expect(table.getByText('1,234.00000001')).toBeVisible()
})

test('an empty list says how a run begins', async () => {
  answering(getPayoutHold, { hold: null })
  answering(listPayouts, [])
  await signedIn({ manageFinance: 1 })
  await showPage('/console/payouts')
  expect(await screen.findByText(t('consolePayouts.none.help'))).toBeVisible()
  expect(button('consolePayouts.hold')).toBeNull()
})

test('if it is unknown whether payouts are on hold, the page says so', async () => {
  refusing(getPayoutHold, 'unavailable')
  refusing(listPayouts, 'unavailable')
  await signedIn({ manageFinance: 2 })
  await showPage('/console/payouts')
  expect(await screen.findByText(t('consolePayouts.hold.failed'))).toBeVisible()
  expect(await screen.findByText(t('console.list.failed'))).toBeVisible()
  expect(button('consolePayouts.hold')).toBeNull()
})

test('an officer puts all payouts on hold, with a time and a reason', async () => {
  answering(getPayoutHold, { hold: null })
  answering(listPayouts, [])
  await signedIn({ manageFinance: 2 })
  const { user } = await showPage('/console/payouts')
  await user.click(await screen.findByRole('button', { name: t('consolePayouts.hold') }))
  const since = dialog().getByLabelText(t('consolePayouts.hold.since'))
  await user.clear(since)
  await user.type(dialog().getByLabelText(t('consolePayouts.reason')), 'Recovered.')
  await user.click(dialog().getByRole('button', { name: t('consolePayouts.hold.confirm') }))
  expect(dialog().getByText(t('field.required'))).toBeVisible()
  expect(callsOf(holdPayouts)).toEqual([])
  await user.type(since, '2036-05-01T08:30')
  answering(holdPayouts, {
    hold: { ...aHold, cause: 'staff', openedBy: { id: 'x', name: 'Ada' }, note: 'Recovered.' },
  })
  await user.click(dialog().getByRole('button', { name: t('consolePayouts.hold.confirm') }))
  expect(await screen.findByText(t('consolePayouts.hold.effect'))).toBeVisible()
  expect(screen.getByText(t('consolePayouts.hold.note', { note: 'Recovered.' }))).toBeVisible()
  expect(callsOf(holdPayouts)).toMatchObject([
    { body: { since: new Date('2036-05-01T08:30').toISOString(), note: 'Recovered.' } },
  ])
  expect(button('consolePayouts.hold')).toBeNull()
})

test('the first officer agrees to release the hold, and a second one releases it', async () => {
  answering(getPayoutHold, { hold: aHold })
  answering(listPayouts, [])
  await signedIn({ manageFinance: 2 })
  const { user } = await showPage('/console/payouts')
  await user.click(await screen.findByRole('button', { name: t('consolePayouts.release') }))
  await user.type(dialog().getByRole('textbox'), 'All compared.')
  answering(resumePayouts, { hold: { ...aHold, firstReleasedBy: { id: aMember.id, name: 'Me' } } })
  await user.click(dialog().getByRole('button', { name: t('consolePayouts.release.propose') }))
  expect(await screen.findByText(t('consolePayouts.release.own'))).toBeVisible()
  expect(button('consolePayouts.release')).toBeNull()
})

test('the second officer sees who was first, and the notice disappears with the hold', async () => {
  answering(getPayoutHold, {
    hold: { ...aHold, firstReleasedBy: { id: 'x', name: 'Ada' }, releaseNote: 'All of May.' },
  })
  answering(listPayouts, [])
  await signedIn({ manageFinance: 2 })
  const { user } = await showPage('/console/payouts')
  expect(await screen.findByText(t('consolePayouts.release.first', { name: 'Ada' }))).toBeVisible()
  expect(await screen.findByText(t('consolePayouts.release.compared', { note: 'All of May.' }))).toBeVisible()
  await user.click(button('consolePayouts.release')!)
  await user.type(dialog().getByRole('textbox'), 'All compared.')
  answering(resumePayouts, { hold: null })
  await user.click(dialog().getByRole('button', { name: t('consolePayouts.release.confirm') }))
  expect(await screen.findByText(t('consolePayouts.release.done'))).toBeVisible()
  expect(screen.queryByText(t('consolePayouts.hold.effect'))).toBeNull()
  expect(button('consolePayouts.hold')).toBeVisible()
})
