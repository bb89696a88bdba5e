// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  assignPayoutTransfer,
  dismissPayoutTransfer,
  listPayoutTransfers,
  payoutTransferProblems,
  payoutTransfersMax,
  type PayoutTransfer,
} from '#contract/money/payout-transfers.ts'
import { getPayoutHold, listPayouts } from '#contract/money/payouts.ts'
import type { Language } from '#contract/platform/fields.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { transferLabels } from './payout-labels.ts'

const t = wordsOf('en')
const delivery = (n: number) => ({
  deliveryId: `d${n}`,
  reference: `${n}A2B3C4D5E`,
  orderId: `o${n}`,
  orderReference: `COIN-1A2B3-0000${n}`,
  memberEmail: 'buyer@example.org',
  tranche: n,
  dueAt: '2036-04-01T10:00:00.000Z',
})
const aTransfer = (change: Partial<PayoutTransfer> = {}): PayoutTransfer => ({
  id: 't1',
  txId: `0x${'ab'.repeat(32)}`,
  address: `0x${'1'.repeat(40)}`,
  amount: '12.5',
  height: 4711,
  seenAt: '2036-05-01T10:00:00.000Z',
  problem: 'unmatched',
  deliveries: [delivery(1)],
  ...change,
})
const listed = (...transfers: PayoutTransfer[]) => ({
  transfers,
  dismissed: [],
  explorer: 'https://explorer.example',
})

async function opened(
  transfers: PayoutTransfer[],
  rights: object = { manageFinance: 2 },
  language: Language = 'en',
) {
  answering(getPayoutHold, { hold: null })
  answering(listPayouts, [])
  answering(listPayoutTransfers, listed(...transfers))
  await signedIn(rights)
  const shown = await showPage('/console/payouts', language)
  await screen.findByText(wordsOf(language)('consolePayouts.none'))
  return shown
}
const part = () => within(screen.getByRole('region', { name: t('consolePayouts.transfers') }))
const dialog = () => within(screen.getByRole('dialog'))
const press = (key: string) => dialog().getByRole('button', { name: t(key) })

test.each(['en', 'cn'] as const)(
  'lists transfers with block, explorer, and problem (%s)',
  async (language) => {
    const words = wordsOf(language)
    await opened(
      payoutTransferProblems.map((problem, n) =>
        aTransfer({ id: problem, problem, height: problem === 'gone' ? null : 4711 + n }),
      ),
      undefined,
      language,
    )
    const table = within(screen.getByRole('table', { name: words('consolePayouts.transfers') }))
    for (const problem of payoutTransferProblems)
      expect(table.getByText(words(transferLabels[problem].words))).toBeVisible()
    expect(table.getByText(words('consolePayouts.block', { height: '4,711' }))).toBeVisible()
    expect(table.getAllByRole('link', { name: /^0xabab/ })[0]).toHaveAttribute(
      'href',
      `https://explorer.example/tx/0x${'ab'.repeat(32)}`,
    )
    expect(table.getAllByRole('link', { name: '1A2B3C4D5E' })[0]).toHaveAttribute(
      'href',
      expect.stringMatching(/orders\/o1#deliveries$/),
    )
  },
)

test('shows nothing if every transfer has a delivery', async () => {
  await opened([])
  expect(screen.queryByText(t('consolePayouts.transfers'))).toBeNull()
})

test('says that only the newest are shown', async () => {
  await opened(
    Array.from({ length: payoutTransfersMax }, (_, n) => aTransfer({ id: `t${n}`, deliveries: [] })),
  )
  expect(screen.getByText(t('consolePayouts.transfers.more', { count: payoutTransfersMax }))).toBeVisible()
})

test('says that the transfers could not be loaded', async () => {
  answering(getPayoutHold, { hold: null })
  answering(listPayouts, [])
  refusing(listPayoutTransfers, 'unavailable')
  await signedIn({ manageFinance: 2 })
  await showPage('/console/payouts')
  expect(await screen.findByText(t('consolePayouts.transfers.failed'))).toBeVisible()
})

test('an officer assigns a transfer to one of its deliveries, with a reason', async () => {
  const { user } = await opened([aTransfer({ problem: 'ambiguous', deliveries: [delivery(1), delivery(2)] })])
  await user.click(part().getByRole('button', { name: t('consolePayouts.assign') }))
  await user.click(press('consolePayouts.assign.confirm'))
  expect(dialog().getByText(t('field.required'))).toBeVisible()
  expect(callsOf(assignPayoutTransfer)).toEqual([])
  await user.click(dialog().getByRole('radio', { name: /2A2B3C4D5E .* Part 2, due .*2036/ }))
  await user.type(dialog().getByRole('textbox'), 'Sent from the canceled run.')
  answering(assignPayoutTransfer, listed())
  await user.click(press('consolePayouts.assign.confirm'))
  expect(await screen.findByText(t('consolePayouts.assign.done'))).toBeVisible()
  expect(callsOf(assignPayoutTransfer)).toMatchObject([
    { params: { id: 't1' }, body: { deliveryId: 'd2', reason: 'Sent from the canceled run.' } },
  ])
  expect(screen.queryByText(t('consolePayouts.transfers'))).toBeNull()
})

test('a transfer without a candidate can only be dismissed', async () => {
  const { user } = await opened([aTransfer({ deliveries: [] })])
  expect(part().queryByRole('button', { name: t('consolePayouts.assign') })).toBeNull()
  await user.click(part().getByRole('button', { name: t('consolePayouts.dismiss') }))
  expect(dialog().getByText(t('consolePayouts.dismiss.text'))).toBeVisible()
  await user.type(dialog().getByRole('textbox'), 'Moved to another wallet.')
  answering(dismissPayoutTransfer, listed(aTransfer({ id: 't2' })))
  await user.click(press('consolePayouts.dismiss.confirm'))
  expect(await screen.findByText(t('consolePayouts.dismiss.done'))).toBeVisible()
  expect(callsOf(dismissPayoutTransfer)).toMatchObject([
    { params: { id: 't1' }, body: { reason: 'Moved to another wallet.' } },
  ])
  expect(part().getAllByRole('row')).toHaveLength(2)
})

test('if a colleague was faster, the current list is shown', async () => {
  const { user } = await opened([aTransfer()])
  await user.click(part().getByRole('button', { name: t('consolePayouts.dismiss') }))
  expect(dialog().getByText(t('consolePayouts.dismiss.text.holding'))).toBeVisible()
  await user.type(dialog().getByRole('textbox'), 'Moved to another wallet.')
  refusing(dismissPayoutTransfer, 'conflict')
  answering(listPayoutTransfers, listed())
  await user.click(press('consolePayouts.dismiss.confirm'))
  expect(await screen.findByText(t('consolePayouts.transfers.stale'))).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('staff with level 1 see the transfers and can’t act', async () => {
  await opened([aTransfer()], { manageFinance: 1 })
  expect(part().getByText(t('consolePayouts.transfer.unmatched'))).toBeVisible()
  expect(part().queryAllByRole('button')).toEqual([])
})

test('a dismissed transfer shows who dismissed it, and why', async () => {
  answering(getPayoutHold, { hold: null })
  answering(listPayouts, [])
  const { id, txId, address, amount } = aTransfer()
  const dismissedBy = { id: 'f1', name: 'An Officer (officer@example.org)' }
  const dismissed = { id, txId, address, amount, dismissedAt: '2036-05-02T10:00:00.000Z' }
  const reason = 'Moved to another wallet.'
  answering(listPayoutTransfers, { ...listed(), dismissed: [{ ...dismissed, dismissedBy, reason }] })
  await signedIn({ manageFinance: 1 })
  const { user } = await showPage('/console/payouts')
  await user.click(await screen.findByText('Dismissed transfers (1)'))
  const table = within(screen.getByRole('table', { name: t('consolePayouts.dismissed') }))
  expect(table.getByText(reason)).toBeVisible()
  expect(table.getByText(dismissedBy.name)).toBeVisible()
  expect(screen.queryByRole('region', { name: t('consolePayouts.transfers') })).toBeNull()
})
