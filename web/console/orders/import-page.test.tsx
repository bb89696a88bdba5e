// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { importOrderPayments, type ImportPlan } from '#contract/money/import-payments.ts'
import {
  assignStatementLine,
  listStatementLines,
  reopenStatementLine,
  type StatementLine,
} from '#contract/money/statements.ts'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import importPage from './import-page.tsx'

const t = wordsOf('en')
const line: ImportPlan['lines'][number] = {
  line: 2,
  id: 'o1',
  reference: 'COIN-AAAAA-BBBBB',
  effect: 'completes',
  held: null,
  fabQty: '1200',
  addresses: ['0xdelivery'],
  txId: '0xaa',
  txIdBefore: '',
  currency: 'ETH',
  due: '1.5',
  amount: '1.5',
  paidBefore: null,
  difference: '0',
  updatedAt: '2026-05-01T11:00:00.000Z',
  isChanged: false,
}

const base: ImportPlan = {
  state: 'checked',
  preview: 'b1',
  format: 'csv',
  encoding: 'gb18030',
  columns: [
    { name: 'Betrag', samples: ['1.200,50'] },
    { name: 'Zweck', samples: ['COIN-AAAAA-BBBBB'] },
  ],
  mapping: { columns: { amount: 0 }, numbers: 'comma', dates: 'dmy' },
  mappedBy: null,
  ignored: 2,
  pending: 0,
  kept: 0,
  duplicates: 1,
  open: 0,
  problems: [],
  lines: [],
}

const openLine: StatementLine = {
  id: 'l1',
  state: 'open',
  line: 7,
  problem: 'unknown_order',
  orderId: null,
  orderReference: '',
  reference: 'Savings',
  txId: '',
  amount: '120.5',
  currency: 'EUR',
  receivedAt: null,
  sender: 'Ada Sample',
  address: '',
  importedAt: '2026-05-01T11:00:00.000Z',
  importedBy: ['Olga Officer', 'Otto Officer'],
  resolvedAt: null,
  reason: '',
}

async function chosen(change: Partial<ImportPlan>, bytes: BlobPart = 'reference') {
  await signedIn({ manageFinance: 2 })
  answering(importOrderPayments, { ...base, ...change })
  answering(listStatementLines, [])
  const view = show(<importPage.View data={undefined} params={{}} search={new URLSearchParams()} />)
  const file = new File([bytes], 'may.csv', { type: 'text/csv' })
  await view.user.upload(screen.getByLabelText(t('consoleOrders.import.file')), file)
  return view
}

test('shows a preview first, and records what was shown', async () => {
  const { user } = await chosen({ lines: [line] })
  expect(await screen.findByText(t('consoleOrders.import.checked'))).toBeVisible()
  expect(screen.getByText(/^Text encoding: GB18030 \(GBK\)\./)).toBeVisible()
  expect(callsOf(importOrderPayments)).toMatchObject([{ body: { file: btoa('reference') } }])
  answering(importOrderPayments, { ...base, state: 'applied', lines: [line] })
  await user.click(screen.getByRole('button', { name: t('consoleOrders.import.apply.open') }))
  const dialog = within(screen.getByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.import.apply') }))
  expect(await screen.findByText(t('consoleOrders.import.applied'))).toBeVisible()
  expect(callsOf(importOrderPayments).at(-1)).toMatchObject({
    body: {
      file: btoa('reference'),
      seen: [{ id: 'o1', updatedAt: line.updatedAt, effect: 'completes' }],
      preview: 'b1',
    },
  })
})

test('says how many lines the bank hasn’t booked yet', async () => {
  await chosen({ pending: 3 })
  expect(await screen.findByText(t('consoleOrders.import.pending', { count: 3 }))).toBeVisible()
})

test('shows what each order delivers, and why an order is left to its page', async () => {
  await chosen({ lines: [{ ...line, effect: 'records', held: 'changed_by_staff' }] })
  const row = await screen.findByRole('row', { name: /COIN-AAAAA-BBBBB/ })
  expect(row).toHaveTextContent('1,200')
  expect(row).toHaveTextContent('0xdelivery')
  expect(row).toHaveTextContent(t('consoleOrders.import.held.changedByStaff'))
})

test('says that a colleague changed the mapping, and imports what it shows next', async () => {
  const { user } = await chosen({ lines: [line] })
  answering(importOrderPayments, { ...base, state: 'changed', preview: 'b2', lines: [line] })
  const apply = async () => {
    await user.click(await screen.findByRole('button', { name: t('consoleOrders.import.apply.open') }))
    const dialog = within(screen.getByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: t('consoleOrders.import.apply') }))
  }
  await apply()
  expect(await screen.findByText(t('consoleOrders.import.remapped'))).toBeVisible()
  await apply()
  expect(callsOf(importOrderPayments).at(-1)).toMatchObject({ body: { preview: 'b2' } })
})

test('asks for the columns of an unknown statement, and previews it with them', async () => {
  const { user } = await chosen({ state: 'mapping' })
  await screen.findByRole('heading', { name: t('consoleOrders.mapping.heading') })
  await user.click(screen.getByRole('button', { name: t('consoleOrders.mapping.preview') }))
  expect(await screen.findByText(t('consoleOrders.mapping.missing.match'))).toBeVisible()
  await user.selectOptions(screen.getByLabelText(t('consoleOrders.mapping.reference')), '1')
  await user.click(screen.getByRole('button', { name: t('consoleOrders.mapping.preview') }))
  expect(await screen.findByText(t('consoleOrders.mapping.missing.currency'))).toBeVisible()
  expect(callsOf(importOrderPayments)).toHaveLength(1)
  await user.type(screen.getByLabelText(t('consoleOrders.mapping.allAmounts')), 'EUR')
  answering(importOrderPayments, { ...base, lines: [line] })
  await user.click(screen.getByRole('button', { name: t('consoleOrders.mapping.preview') }))
  expect(await screen.findByText(t('consoleOrders.import.checked'))).toBeVisible()
  expect(callsOf(importOrderPayments).at(-1)).toMatchObject({
    body: {
      mapping: { columns: { amount: 0, reference: 1 }, currency: 'EUR', numbers: 'comma', dates: 'dmy' },
    },
  })
})

test('a number format that the file doesn’t show must be chosen', async () => {
  const mapping = {
    columns: { amount: 0, reference: 1 },
    currency: 'EUR',
    numbers: null,
    dates: 'dmy',
  } as const
  const { user } = await chosen({ state: 'mapping', mapping })
  const format = await screen.findByLabelText(t('consoleOrders.mapping.numbers'))
  expect(format).toHaveValue('')
  expect(format).toHaveAccessibleDescription(t('consoleOrders.mapping.numbers.help'))
  await user.click(screen.getByRole('button', { name: t('consoleOrders.mapping.preview') }))
  expect(await screen.findByText(t('consoleOrders.mapping.missing.numbers'))).toBeVisible()
  expect(callsOf(importOrderPayments)).toHaveLength(1)
  await user.selectOptions(format, 'comma')
  answering(importOrderPayments, { ...base, lines: [line] })
  await user.click(screen.getByRole('button', { name: t('consoleOrders.mapping.preview') }))
  expect(await screen.findByText(t('consoleOrders.import.checked'))).toBeVisible()
  expect(callsOf(importOrderPayments).at(-1)).toMatchObject({
    body: { mapping: { ...mapping, numbers: 'comma' } },
  })
})

test('an open line is assigned to an order, with a reason', async () => {
  await signedIn({ manageFinance: 2 })
  answering(listStatementLines, [openLine])
  answering(assignStatementLine, { ...openLine, state: 'assigned' })
  const { user } = show(<importPage.View data={undefined} params={{}} search={new URLSearchParams()} />)
  const assign = await screen.findByRole('button', { name: t('consoleOrders.openLines.assign') })
  for (const name of openLine.importedBy)
    expect(screen.getByText(t('consoleOrders.openLines.importedBy', { name }))).toBeVisible()
  await user.click(assign)
  const dialog = within(screen.getByRole('dialog'))
  const confirm = dialog.getByRole('button', { name: t('consoleOrders.openLines.assign.confirm') })
  await user.click(confirm)
  expect(callsOf(assignStatementLine)).toEqual([])
  await user.type(dialog.getByLabelText(t('consoleOrders.reference')), 'COIN-AAAAA-BBBBB')
  await user.type(dialog.getByLabelText(t('consoleOrders.openLines.reason')), 'Same name')
  await user.click(confirm)
  expect(callsOf(assignStatementLine)).toMatchObject([
    { params: { id: 'l1' }, body: { reference: 'COIN-AAAAA-BBBBB', reason: 'Same name' } },
  ])
})

test('a possible duplicate is confirmed on the second press, only for the order of the warning', async () => {
  await signedIn({ manageFinance: 2 })
  answering(listStatementLines, [openLine])
  const { user } = show(<importPage.View data={undefined} params={{}} search={new URLSearchParams()} />)
  await user.click(await screen.findByRole('button', { name: t('consoleOrders.openLines.assign') }))
  const dialog = within(screen.getByRole('dialog'))
  const confirm = dialog.getByRole('button', { name: t('consoleOrders.openLines.assign.confirm') })
  const reference = dialog.getByLabelText(t('consoleOrders.reference'))
  await user.type(dialog.getByLabelText(t('consoleOrders.openLines.reason')), 'Same name')
  for (const order of ['COIN-AAAAA-BBBBB', 'COIN-CCCCC-DDDDD']) {
    const message = `Compare the payment with ${order}.`
    refusing(assignStatementLine, 'validation_failed', {
      errors: [{ path: 'reference', code: 'looks_imported', message }],
    })
    await user.clear(reference)
    await user.type(reference, order)
    await user.click(confirm)
    expect(await dialog.findByText(message)).toBeVisible()
    const unconfirmed = { reference: order, reason: 'Same name' }
    expect(callsOf(assignStatementLine).at(-1)).toHaveProperty('body', unconfirmed)
  }
  answering(assignStatementLine, { ...openLine, state: 'assigned' })
  await user.click(confirm)
  expect(callsOf(assignStatementLine).at(-1)).toMatchObject({
    body: { reference: 'COIN-CCCCC-DDDDD', confirmsDuplicate: true },
  })
})

test('a dismissed line is reopened, with a reason', async () => {
  await signedIn({ manageFinance: 2 })
  answering(listStatementLines, [])
  const { user } = show(<importPage.View data={undefined} params={{}} search={new URLSearchParams()} />)
  const dismissed = { ...openLine, state: 'dismissed' as const, reason: 'Interest of the bank' }
  const heading = await screen.findByText(t('consoleOrders.dismissedLines'))
  answering(listStatementLines, [dismissed])
  await user.click(heading)
  expect(await screen.findByText(dismissed.reason)).toBeVisible()
  expect(callsOf(listStatementLines).at(-1)).toMatchObject({ query: { state: 'dismissed' } })
  answering(reopenStatementLine, openLine)
  await user.click(screen.getByRole('button', { name: t('consoleOrders.openLines.reopen') }))
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByLabelText(t('consoleOrders.openLines.reason')), 'It is a payment')
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.openLines.reopen.confirm') }))
  expect(callsOf(reopenStatementLine)).toMatchObject([
    { params: { id: 'l1' }, body: { reason: 'It is a payment' } },
  ])
})

test('offers to dismiss a line without the amount of one payment, and not to assign it', async () => {
  const reversal = { ...openLine, problem: 'reversal' }
  await signedIn({ manageFinance: 2 })
  answering(listStatementLines, [reversal, { ...openLine, id: 'l2', problem: 'number', amount: 'twelve' }])
  show(<importPage.View data={undefined} params={{}} search={new URLSearchParams()} />)
  expect(await screen.findAllByRole('button', { name: t('consoleOrders.openLines.dismiss') })).toHaveLength(2)
  expect(screen.queryByRole('button', { name: t('consoleOrders.openLines.assign') })).toBeNull()
})

test('names who mapped the columns of a known statement', async () => {
  await chosen({ mappedBy: { name: 'Olga Officer', at: '2026-05-01T11:00:00.000Z' } })
  expect(await screen.findByText(/^Olga Officer mapped the columns on /)).toBeVisible()
})

test('names a problem with its line and column, and offers nothing for an unreadable file', async () => {
  await chosen({
    state: 'refused',
    problems: [{ line: 7, column: 'amount', problem: 'number', value: '1,5' }],
    lines: [line],
  })
  const row = await screen.findByRole('row', { name: /1,5/ })
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['7', 'amount', t('consoleOrders.import.problem.number'), '1,5'])
  expect(screen.queryByRole('button', { name: t('consoleOrders.import.apply.open') })).toBeNull()
})

test.each([
  [0, 'is not offered for import'],
  [1, 'is imported'],
])('a statement with nothing but %d debits to keep %s', async (kept) => {
  await chosen({ kept })
  await screen.findByText(t('consoleOrders.import.checked'))
  expect(screen.queryAllByRole('button', { name: t('consoleOrders.import.apply.open') })).toHaveLength(kept)
})

test('a file that is too large is not sent', async () => {
  await chosen({ state: 'refused', problems: [], lines: [] }, new Uint8Array(1024 * 1024 + 1))
  expect(await screen.findByText(t('consoleOrders.import.tooLarge'))).toBeVisible()
  expect(callsOf(importOrderPayments)).toEqual([])
})
