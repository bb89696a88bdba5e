// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { listDeliveries, type ConsoleDelivery } from '#contract/money/console-deliveries.ts'
import { freezePayout, getPayout, previewPayout, type PayoutPreview } from '#contract/money/payouts.ts'
import type { Language } from '#contract/platform/fields.ts'
import { aHold, aPayout } from '#tests/setup/a-payout.ts'
import { show, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { FreezeDialog } from './freeze-dialog.tsx'

const t = wordsOf('en')
const preview: PayoutPreview = {
  deliveryIds: ['d1', 'd2'],
  count: 2,
  addresses: 1,
  total: '1000.00000001',
  network: 'own',
  needsTwo: true,
  approvers: 1,
  warned: [
    {
      deliveryId: 'd1',
      reference: '1A2B3C4D5E',
      orderReference: 'COIN-1A2B3-C4D5E',
      address: 'F1',
      amount: '2',
      warnings: ['changed_recently'],
    },
  ],
  leftOut: [{ deliveryId: 'd3', reference: '3A2B3C4D5E', obstacle: 'on_hold', hold: 'staff' }],
  hold: null,
}
const rows = ['d1', 'd2', 'd3'].map((id) => ({ id }))
const dialog = () => within(screen.getByRole('dialog'))
const confirm = (count: number) =>
  dialog().getByRole('button', { name: `${t('consolePayouts.freeze.confirm')} (${count})` })

async function opened(language: Language = 'en') {
  const onClose = vi.fn<(hasRun: boolean) => void>()
  await signedIn({ manageFinance: 2 })
  return { onClose, ...show(<FreezeDialog rows={rows} onClose={onClose} />, language) }
}

test.each(['en', 'cn'] as const)('previews totals, warnings, and what is left out (%s)', async (language) => {
  const words = wordsOf(language)
  answering(previewPayout, preview)
  await opened(language)
  expect(await dialog().findByText('1,000.00000001')).toBeVisible()
  expect(callsOf(previewPayout)).toMatchObject([{ body: { deliveryIds: ['d1', 'd2', 'd3'] } }])
  expect(dialog().getByText(words('consolePayouts.network.own'))).toBeVisible()
  expect(dialog().getByText(words('consolePayouts.warning.changed_recently'))).toBeVisible()
  expect(dialog().getByText(words('consoleDeliveries.hold.staff'))).toBeVisible()
  expect(dialog().getByText(words('consolePayouts.freeze.needsTwo'))).toBeVisible()
})

test('nothing can be frozen while the preview loads', async () => {
  const answer = holding(previewPayout, preview)
  await opened()
  expect(confirm(0)).toBeDisabled()
  answer()
  await dialog().findByText('1,000.00000001')
  expect(confirm(2)).toBeEnabled()
})

test('a preview that can’t be loaded says so', async () => {
  refusing(previewPayout, 'unavailable')
  await opened()
  expect(await dialog().findByText(t('consolePayouts.freeze.failed'))).toBeVisible()
  expect(confirm(0)).toBeDisabled()
})

test('freezes exactly the previewed deliveries and total', async () => {
  answering(previewPayout, preview)
  answering(freezePayout, aPayout())
  answering(getPayout, aPayout())
  const { user, onClose } = await opened()
  await dialog().findByText('1,000.00000001')
  await user.click(confirm(2))
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledWith(true))
  expect(callsOf(freezePayout)).toMatchObject([
    {
      body: { deliveryIds: ['d1', 'd2'], total: '1000.00000001' },
      idempotencyKey: expect.stringMatching(/^[\da-f]{32}$/) as string,
    },
  ])
  // Otherwise, the page of the run would replace what a later test shows.
  await screen.findByRole('heading', { level: 1, name: /\b7\b/ })
})

test.each([
  ['a delivery has changed', 'conflict', [{ path: 'deliveryIds.0', code: 'unsettled', message: '' }]],
  ['the total has changed', 'validation_failed', [{ path: 'total', code: 'mismatch', message: '' }]],
] as const)('if %s, a new preview is shown and confirmed again', async (_, code, errors) => {
  answering(previewPayout, preview)
  refusing(freezePayout, code, { errors: [...errors] })
  const { user, onClose } = await opened()
  await dialog().findByText('1,000.00000001')
  answering(previewPayout, { ...preview, deliveryIds: ['d2'], count: 1, total: '7' })
  await user.click(confirm(2))
  expect(await dialog().findByText(t('consolePayouts.freeze.changed'))).toBeVisible()
  expect(await dialog().findByText('7')).toBeVisible()
  expect(confirm(1)).toBeEnabled()
  expect(onClose).not.toHaveBeenCalled()
})

test('another failure is shown, and the same request keeps its key', async () => {
  answering(previewPayout, preview)
  refusing(freezePayout, 'unavailable')
  const { user } = await opened()
  await dialog().findByText('1,000.00000001')
  await user.click(confirm(2))
  await dialog().findByText('refused: unavailable')
  await user.click(confirm(2))
  await vi.waitFor(() => expect(callsOf(freezePayout)).toHaveLength(2))
  const [first, second] = callsOf(freezePayout) as { idempotencyKey?: string }[]
  expect(second!.idempotencyKey).toBe(first!.idempotencyKey)
})

test.each([
  ['payouts are on hold', { hold: aHold }, 2, 'consolePayouts.hold.effect'],
  ['nothing can be paid', { count: 0, deliveryIds: [] }, 0, 'consolePayouts.freeze.nothing'],
] as const)('nothing is frozen if %s', async (_, change, count, why) => {
  answering(previewPayout, { ...preview, ...change } as PayoutPreview)
  await opened()
  expect(await dialog().findByText(t(why))).toBeVisible()
  expect(confirm(count)).toBeDisabled()
})

test('says if no one else can approve the run', async () => {
  answering(previewPayout, { ...preview, approvers: 0 })
  await opened()
  expect(await dialog().findByText(t('consolePayouts.freeze.nobody'))).toBeVisible()
})

const delivery: ConsoleDelivery = {
  id: 'd1',
  reference: '1A2B3C4D5E',
  tranche: 1,
  amount: '2',
  dueAt: '2036-05-01T14:00:00.000Z',
  state: 'due',
  hold: null,
  address: 'F1',
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

test('selected deliveries of the list are frozen, and the new run opens', async () => {
  answering(listDeliveries, [delivery])
  answering(previewPayout, preview)
  answering(freezePayout, aPayout())
  answering(getPayout, aPayout())
  await signedIn({ manageFinance: 2 })
  const { user } = await showPage('/console/deliveries')
  await user.click(await screen.findByRole('checkbox', { name: /1A2B3C4D5E/ }))
  await user.click(screen.getByRole('button', { name: t('consolePayouts.freeze') }))
  expect(await screen.findByText('1,000.00000001')).toBeVisible()
  expect(callsOf(previewPayout)).toMatchObject([{ body: { deliveryIds: ['d1'] } }])
  await user.click(confirm(2))
  expect(await screen.findByRole('heading', { name: t('consolePayouts.one', { number: 7 }) })).toBeVisible()
  expect(screen.getByText(t('consolePayouts.freeze.done'))).toBeVisible()
})

test('staff with level 1 can’t freeze what they select', async () => {
  answering(listDeliveries, [delivery])
  await signedIn({ manageFinance: 1 })
  const { user } = await showPage('/console/deliveries')
  await user.click(await screen.findByRole('checkbox', { name: /1A2B3C4D5E/ }))
  expect(screen.getByRole('button', { name: t('consoleDeliveries.export') })).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consolePayouts.freeze') })).toBeNull()
})
