// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  approvePayout,
  cancelPayout,
  confirmPayoutItems,
  exportPayoutFile,
  getPayout,
  recordPayoutTransactions,
  type PayoutDetail,
} from '#contract/money/payouts.ts'
import type { Language } from '#contract/platform/fields.ts'
import { aHold, anItem, aPayout } from '#tests/setup/a-payout.ts'
import { aMember, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, holding, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const saveFile = vi.hoisted(() => vi.fn<(file: Blob, name: string) => void>())
vi.mock('../../kernel/save-file.ts', () => ({ saveFile }))

const t = wordsOf('en')
const exported = { state: 'exported', firstExportedAt: '2036-05-01T11:00:00.000Z' } as const
const later = new Date(Date.now() + 86_400_000).toISOString()
const waiting = { state: 'waiting', needsTwo: true, approvableUntil: later } as const

async function opened(run: PayoutDetail, rights: object = { manageFinance: 2 }, language: Language = 'en') {
  answering(getPayout, run)
  await signedIn(rights)
  const shown = await showPage('/console/payouts/p7', language)
  await screen.findByRole('heading', { level: 1, name: /\b7\b/ })
  return shown
}
const button = (key: string) => screen.queryByRole('button', { name: t(key) })
const dialog = () => within(screen.getByRole('dialog'))
const press = (key: string) => dialog().getByRole('button', { name: t(key) })

test.each(['en', 'cn'] as const)(
  'shows the hash in groups, the totals, and the deliveries (%s)',
  async (language) => {
    const words = wordsOf(language)
    const sent = { txId: '0xaa', sentAt: later, confirmedAt: later, assignReason: 'Sent by hand.' }
    const paid = anItem(1, { state: 'confirmed', ...sent })
    const warned = anItem(2, { warnings: ['shared', 'new_address'] })
    await opened(aPayout({ sent: 1, confirmed: 1, list: [paid, warned] }), undefined, language)
    expect(screen.getAllByText(/^(?:01234567|89abcdef)$/)).toHaveLength(8)
    expect(screen.getAllByText(words('consolePayouts.of', { count: 1, all: 2 }))).toHaveLength(2)
    const table = within(screen.getByRole('table'))
    expect(table.getByText(words('consolePayouts.item.confirmed'))).toBeVisible()
    expect(table.getByText('0xaa')).toBeVisible()
    expect(table.getByText(words('consolePayouts.assigned', { reason: sent.assignReason }))).toBeVisible()
    expect(table.getByText(words('consolePayouts.warning.shared'))).toBeVisible()
    expect(table.getAllByRole('link')[0]).toHaveAttribute(
      'href',
      expect.stringMatching(/orders\/o1#deliveries$/),
    )
    expect(screen.getByText(words('consolePayouts.warned', { count: 1 }))).toBeVisible()
  },
)

test('says that it is loading, and that a run that does not exist is missing', async () => {
  const answer = holding(getPayout, aPayout())
  await signedIn({ manageFinance: 1 })
  await showPage('/console/payouts/p7')
  expect(screen.getByText(t('forms.loading'))).toBeInTheDocument()
  answer()
  await screen.findByText(t('consolePayouts.state.ready'))
})

test.each([
  ['not_found', 'consolePayouts.gone'],
  ['unavailable', 'consolePayouts.failed'],
] as const)('a run that can’t be read (%s) says so', async (code, words) => {
  refusing(getPayout, code)
  await signedIn({ manageFinance: 1 })
  await showPage('/console/payouts/p7')
  expect(await screen.findByText(t(words))).toBeVisible()
})

test.each([
  ['level 1', aPayout(), { manageFinance: 1 }, 'consolePayouts.readOnly'],
  ['a delivery of their own', aPayout({ forbids: 'own' }), { manageFinance: 2 }, 'consolePayouts.own'],
] as const)('an officer with %s gets no actions and no files', async (_, run, rights, why) => {
  await opened(run, rights)
  expect(screen.getByText(t(why))).toBeVisible()
  expect(button('consolePayouts.cancel')).toBeNull()
  expect(button('consolePayouts.format.csv')).toBeNull()
})

const watch = {
  confirmationsNeeded: 12,
  tipHeight: 4715,
  readUntil: '2036-05-01T12:00:00.000Z',
  isReached: true,
} as const

test('if the network is read, the page shows blocks and confirmations, and nobody confirms by hand', async () => {
  const sent = anItem(1, { state: 'sent', txId: '0xaa', sentAt: later, height: 4711 })
  const run = { ...exported, state: 'partly_sent' as const, watch, list: [sent, anItem(2)] }
  await opened(aPayout(run))
  const table = within(screen.getByRole('table'))
  expect(table.getByText(t('consolePayouts.block', { height: '4,711' }))).toBeVisible()
  expect(table.getByText(t('consolePayouts.confirmations', { count: 5, all: 12 }))).toBeVisible()
  expect(screen.getByText(t('consolePayouts.watched'))).toBeVisible()
  expect(screen.getByText(t('consolePayouts.watched.missing', { count: 12 }))).toBeVisible()
  expect(button('consolePayouts.record')).not.toBeNull()
  expect(button('consolePayouts.confirm')).toBeNull()
})

test('if the node can’t be read, the page says what that means', async () => {
  await opened(aPayout({ ...exported, watch: { ...watch, isReached: false } }))
  expect(screen.getByText(t('consolePayouts.watched.unreached'))).toBeVisible()
  expect(screen.queryByText(t('consolePayouts.watched'))).toBeNull()
})

test('a canceled run has no part for files', async () => {
  await opened(aPayout({ state: 'cancelled', cancelledAt: later, cancelReason: 'Wrong wallet.' }))
  expect(screen.queryByRole('heading', { name: t('consolePayouts.files') })).toBeNull()
})

test('the second officer approves with the hash of the first, which is not filled in', async () => {
  const { user } = await opened(aPayout(waiting))
  expect(screen.getByText(t('consolePayouts.approval.others'))).toBeVisible()
  expect(screen.getByText(t('consolePayouts.files.waiting'))).toBeVisible()
  await user.click(button('consolePayouts.approve')!)
  expect(dialog().getByRole('textbox')).toHaveValue('')
  await user.click(press('consolePayouts.approve.confirm'))
  expect(dialog().getByText(t('field.required'))).toBeVisible()
  expect(callsOf(approvePayout)).toEqual([])
  refusing(approvePayout, 'validation_failed', { errors: [{ path: 'hash', code: 'mismatch', message: '' }] })
  await user.type(dialog().getByRole('textbox'), 'ABCD 1234')
  await user.click(press('consolePayouts.approve.confirm'))
  expect(await dialog().findByText(t('consolePayouts.approve.mismatch'))).toBeVisible()
  expect(callsOf(approvePayout)).toMatchObject([{ body: { hash: 'abcd1234' } }])
  answering(
    approvePayout,
    aPayout({ needsTwo: true, approvedBy: { id: 'x', name: 'Bo' }, approvedAt: later }),
  )
  await user.click(press('consolePayouts.approve.confirm'))
  expect(await screen.findByText(t('consolePayouts.approve.done'))).toBeVisible()
  expect(screen.getByText(t('consolePayouts.event.approved'))).toBeVisible()
})

test.each([
  ['the first officer', { frozenBy: { id: aMember.id, name: 'Me' } }, 'consolePayouts.approval.own'],
  [
    'anyone after three days',
    { approvableUntil: '2020-01-01T00:00:00.000Z' },
    'consolePayouts.approval.expired',
  ],
])('%s can’t approve a run', async (_, change, why) => {
  await opened(aPayout({ ...waiting, ...change }))
  expect(screen.getByText(t(why))).toBeVisible()
  expect(button('consolePayouts.approve')).toBeNull()
})

test('a hold stops the approval and the export, and says why', async () => {
  await opened(aPayout({ ...exported, hold: aHold }))
  expect(screen.getByText(/backup of .* was restored/)).toBeVisible()
  expect(screen.getByText(t('consolePayouts.files.hold'))).toBeVisible()
  expect(button('consolePayouts.format.csv')).toBeNull()
  expect(button('consolePayouts.record')).toBeVisible()
})

test('the first export asks for confirmation; later ones do not, and only formats of the network are offered', async () => {
  const { user } = await opened(aPayout())
  expect(button('consolePayouts.format.psbt')).toBeNull()
  answering(exportPayoutFile, 'address,amount')
  answering(getPayout, aPayout(exported))
  await user.click(button('consolePayouts.format.safe')!)
  expect(callsOf(exportPayoutFile)).toEqual([])
  await user.click(press('consolePayouts.export.confirm'))
  await screen.findByText(t('consolePayouts.state.exported'))
  expect(saveFile.mock.lastCall?.[1]).toBe(`payout-7-safe-${'0123456789abcdef'.repeat(4)}.json`)
  await user.click(button('consolePayouts.format.csv')!)
  await waitFor(() => expect(callsOf(exportPayoutFile)).toHaveLength(2))
  expect(callsOf(exportPayoutFile)).toMatchObject([
    { params: { id: 'p7', format: 'safe' } },
    { params: { id: 'p7', format: 'csv' } },
  ])
})

test('an export that is refused names the deliveries that can’t be paid, with the reasons', async () => {
  const { user } = await opened(aPayout())
  refusing(exportPayoutFile, 'conflict', {
    deliveries: [
      { deliveryId: 'd1', reference: '1A2B3C4D5E', obstacle: 'address', hold: null },
      { deliveryId: 'd2', reference: '2A2B3C4D5E', obstacle: 'on_hold', hold: 'withdrawal_open' },
    ],
  })
  await user.click(button('consolePayouts.format.csv')!)
  await user.click(press('consolePayouts.export.confirm'))
  expect(await dialog().findByText(t('consolePayouts.export.unsettled'))).toBeVisible()
  expect(
    dialog()
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    `1A2B3C4D5E · ${t('consolePayouts.obstacle.address')}`,
    `2A2B3C4D5E · ${t('consoleDeliveries.hold.withdrawal_open')}`,
  ])
})

test('a run from which deliveries were taken out has no files', async () => {
  await opened(aPayout({ ...exported, list: [anItem(1), anItem(2, { state: 'released' })] }))
  expect(screen.getByText(t('consolePayouts.files.released'))).toBeVisible()
  expect(button('consolePayouts.format.csv')).toBeNull()
})

test('transactions are recorded from a pasted file, and each refused line says why', async () => {
  const { user } = await opened(aPayout(exported))
  await user.click(button('consolePayouts.record')!)
  await user.click(press('consolePayouts.record.confirm'))
  expect(dialog().getByText(t('consolePayouts.record.nothing'))).toBeVisible()
  await user.click(dialog().getByLabelText(t('consolePayouts.record.lines')))
  await user.paste('reference,txId\n1A2B3C4D5E,0xaa\nFFFFFFFFFF,0xbb\nEEEEEEEEEE,')
  expect(dialog().getByText(t('consolePayouts.record.found', { count: 2 }))).toBeVisible()
  expect(dialog().getByText(t('consolePayouts.record.incomplete', { lines: '4' }))).toBeVisible()
  answering(recordPayoutTransactions, {
    lines: [
      { reference: '1A2B3C4D5E', txId: '0xaa', isDone: true, problem: null },
      { reference: 'FFFFFFFFFF', txId: '0xbb', isDone: false, problem: 'unknown' },
    ],
  })
  await user.click(press('consolePayouts.record.confirm'))
  expect(await screen.findByText(t('consolePayouts.record.some', { count: 1, all: 2 }))).toBeVisible()
  expect(dialog().getByText(t('consolePayouts.line.unknown'))).toBeVisible()
  expect(dialog().queryByText('1A2B3C4D5E')).toBeNull()
  expect(callsOf(getPayout)).toHaveLength(2)
})

test('a chosen file fills the lines', async () => {
  const { user } = await opened(aPayout(exported))
  await user.click(button('consolePayouts.record')!)
  await user.upload(
    dialog().getByLabelText(t('consolePayouts.record.file')),
    new File(['1A2B3C4D5E;0xaa'], 'paid.csv', { type: 'text/csv' }),
  )
  expect(await dialog().findByText(t('consolePayouts.record.found', { count: 1 }))).toBeVisible()
  answering(recordPayoutTransactions, {
    lines: [{ reference: '1A2B3C4D5E', txId: '0xaa', isDone: true, problem: null }],
  })
  await user.click(press('consolePayouts.record.confirm'))
  expect(await screen.findByText(t('consolePayouts.record.done', { count: 1 }))).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('one transaction is recorded by hand for the deliveries that it paid', async () => {
  const { user } = await opened(aPayout(exported))
  await user.click(button('consolePayouts.recordOne')!)
  await user.click(press('consolePayouts.record.confirm'))
  expect(dialog().getByText(t('field.required'))).toBeVisible()
  await user.click(dialog().getByRole('checkbox', { name: /2A2B3C4D5E/ }))
  await user.type(dialog().getByRole('textbox'), '0xaa')
  answering(recordPayoutTransactions, {
    lines: [{ reference: '1A2B3C4D5E', txId: '0xaa', isDone: true, problem: null }],
  })
  await user.click(press('consolePayouts.record.confirm'))
  await screen.findByText(t('consolePayouts.record.done', { count: 1 }))
  expect(callsOf(recordPayoutTransactions)).toMatchObject([
    { body: { lines: [{ reference: '1A2B3C4D5E', txId: '0xaa' }] } },
  ])
})

test('finance confirms only deliveries with a recorded transaction', async () => {
  const sent = { state: 'sent', txId: '0xaa', sentAt: later } as const
  const run = aPayout({ ...exported, state: 'partly_sent' })
  const list = [anItem(1, sent), anItem(2, { ...sent, state: 'confirmed' }), anItem(3)]
  const { user } = await opened({ ...run, list })
  await user.click(button('consolePayouts.confirm')!)
  expect(dialog().queryByText('2A2B3C4D5E')).toBeNull()
  expect(dialog().queryByText('3A2B3C4D5E')).toBeNull()
  answering(confirmPayoutItems, { ...run, list })
  await user.click(press('consolePayouts.confirm.label'))
  await screen.findByText(t('consolePayouts.confirm.done'))
  expect(callsOf(confirmPayoutItems)).toMatchObject([{ body: { deliveryIds: ['d1'] } }])
})

test('before the export, one officer cancels with a reason', async () => {
  const { user } = await opened(aPayout())
  await user.click(button('consolePayouts.cancel')!)
  await user.click(press('consolePayouts.cancel.label'))
  expect(dialog().getByText(t('field.required'))).toBeVisible()
  await user.type(dialog().getByRole('textbox'), 'Wrong wallet.')
  answering(cancelPayout, aPayout({ state: 'cancelled', cancelledAt: later, cancelReason: 'Wrong wallet.' }))
  await user.click(press('consolePayouts.cancel.label'))
  await screen.findByText(t('consolePayouts.cancel.done'))
  expect(screen.getByText(t('consolePayouts.cancelled', { reason: 'Wrong wallet.' }))).toBeVisible()
  expect(callsOf(cancelPayout)).toMatchObject([{ body: { reason: 'Wrong wallet.' } }])
})

test('after the export, an officer proposes to take out deliveries that were not sent', async () => {
  const { user } = await opened(aPayout(exported))
  expect(button('consolePayouts.cancel')).toBeNull()
  await user.click(button('consolePayouts.propose')!)
  await user.click(dialog().getByRole('radio', { name: t('consolePayouts.propose.some') }))
  await user.type(dialog().getByRole('textbox'), 'It failed.')
  await user.click(press('consolePayouts.propose.confirm'))
  expect(dialog().getByText(t('consolePayouts.choose.none'))).toBeVisible()
  await user.click(dialog().getByRole('checkbox', { name: /2A2B3C4D5E/ }))
  const errors = [{ path: 'reason', code: 'second_person', message: '' }] as const
  refusing(cancelPayout, 'conflict', { errors: [...errors] })
  await user.click(press('consolePayouts.propose.confirm'))
  expect(await dialog().findByText(t('consolePayouts.propose.nobody'))).toBeVisible()
  answering(cancelPayout, aPayout(exported))
  await user.click(press('consolePayouts.propose.confirm'))
  await screen.findByText(t('consolePayouts.propose.done'))
  expect(callsOf(cancelPayout).at(-1)).toMatchObject({ body: { reason: 'It failed.', deliveryIds: ['d2'] } })
})

test('a run with a recorded transaction can’t be canceled as a whole', async () => {
  const list = [anItem(1, { state: 'sent', txId: '0xaa', sentAt: later }), anItem(2)]
  const { user } = await opened(aPayout({ ...exported, state: 'partly_sent', list }))
  await user.click(button('consolePayouts.propose')!)
  expect(dialog().queryByRole('radio')).toBeNull()
  expect(dialog().queryByText('1A2B3C4D5E')).toBeNull()
})

const proposal = (by: string, counts = true) => ({
  by: { id: by, name: 'Ada' },
  at: later,
  reason: 'The wallet was empty.',
  deliveryIds: null,
  counts,
})

test('another officer confirms exactly what was proposed', async () => {
  const { user } = await opened(aPayout({ ...exported, proposal: proposal('first') }))
  expect(button('consolePayouts.propose')).toBeNull()
  await user.click(button('consolePayouts.confirmCancel')!)
  expect(dialog().getByText(/The wallet was empty/)).toBeVisible()
  answeringInTurn(cancelPayout, aPayout({ state: 'cancelled', cancelledAt: later, cancelReason: 'Empty.' }))
  await user.click(press('consolePayouts.confirmCancel.label'))
  await screen.findByText(t('consolePayouts.confirmCancel.done'))
  expect(callsOf(cancelPayout)[0]!.body).toEqual({ reason: 'The wallet was empty.' })
})

test.each([
  [
    'the author of a proposal waits for a colleague',
    proposal(aMember.id),
    'consolePayouts.proposal.own',
    null,
  ],
  [
    'a proposal that no longer counts can be replaced',
    proposal('first', false),
    'consolePayouts.proposal.gone',
    'consolePayouts.propose',
  ],
])('%s', async (_, given, why, offered) => {
  await opened(aPayout({ ...exported, proposal: given }))
  expect(screen.getByText(t(why))).toBeVisible()
  expect(button('consolePayouts.confirmCancel')).toBeNull()
  expect(button('consolePayouts.propose') !== null).toBe(offered !== null)
})

test('if a colleague acted first, the page shows the current run', async () => {
  const { user } = await opened(aPayout())
  await user.click(button('consolePayouts.cancel')!)
  await user.type(dialog().getByRole('textbox'), 'Late.')
  refusing(cancelPayout, 'conflict')
  answering(getPayout, aPayout(exported))
  await user.click(press('consolePayouts.cancel.label'))
  expect(await screen.findByText(t('consolePayouts.stale'))).toBeVisible()
  expect(await screen.findByText(t('consolePayouts.state.exported'))).toBeVisible()
})
