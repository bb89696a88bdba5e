// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { importOrderPayments, type ImportPlan } from '#contract/import-payments.ts'
import { assignStatementLine, listStatementLines, type StatementLine } from '#contract/statements.ts'
import { answering, callsOf } from '#tests/setup/stub-api.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import importPage from './import-page.tsx'

const t = wordsOf('en')
const line: ImportPlan['lines'][number] = {
  line: 2,
  id: 'o1',
  reference: 'COIN-AAAAA-BBBBB',
  effect: 'completes',
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
  format: 'csv',
  columns: [
    { name: 'Betrag', samples: ['1.200,50'] },
    { name: 'Zweck', samples: ['COIN-AAAAA-BBBBB'] },
  ],
  mapping: { columns: { amount: 0 }, numbers: 'comma', dates: 'dmy' },
  ignored: 2,
  duplicates: 1,
  open: 0,
  problems: [],
  lines: [],
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
  expect(callsOf(importOrderPayments)).toMatchObject([{ body: { file: btoa('reference') } }])
  answering(importOrderPayments, { ...base, state: 'applied', lines: [line] })
  await user.click(screen.getByRole('button', { name: t('consoleOrders.import.apply') }))
  const dialog = within(screen.getByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.import.apply') }))
  expect(await screen.findByText(t('consoleOrders.import.applied'))).toBeVisible()
  expect(callsOf(importOrderPayments).at(-1)).toMatchObject({
    body: { file: btoa('reference'), seen: [{ id: 'o1', updatedAt: line.updatedAt }] },
  })
})

test('asks for the columns of an unknown statement, and previews it with them', async () => {
  const { user } = await chosen({ state: 'mapping' })
  await screen.findByRole('heading', { name: t('consoleOrders.mapping.heading') })
  await user.click(screen.getByRole('button', { name: t('consoleOrders.mapping.preview') }))
  expect(await screen.findByText(t('consoleOrders.mapping.missing.match'))).toBeVisible()
  await user.selectOptions(screen.getByLabelText(t('consoleOrders.mapping.reference')), '1')
  answering(importOrderPayments, { ...base, lines: [line] })
  await user.click(screen.getByRole('button', { name: t('consoleOrders.mapping.preview') }))
  expect(await screen.findByText(t('consoleOrders.import.checked'))).toBeVisible()
  expect(callsOf(importOrderPayments).at(-1)).toMatchObject({
    body: { mapping: { columns: { amount: 0, reference: 1 }, numbers: 'comma', dates: 'dmy' } },
  })
})

test('an open line is assigned to an order, with a reason', async () => {
  const open: StatementLine = {
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
    resolvedAt: null,
    reason: '',
  }
  await signedIn({ manageFinance: 2 })
  answering(listStatementLines, [open])
  answering(assignStatementLine, { ...open, state: 'assigned' })
  const { user } = show(<importPage.View data={undefined} params={{}} search={new URLSearchParams()} />)
  await user.click(await screen.findByRole('button', { name: t('consoleOrders.openLines.assign') }))
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
  expect(screen.queryByRole('button', { name: t('consoleOrders.import.apply') })).toBeNull()
})

test('a file that is too large is not sent', async () => {
  await chosen({ state: 'refused', problems: [], lines: [] }, new Uint8Array(1024 * 1024 + 1))
  expect(await screen.findByText(t('consoleOrders.import.tooLarge'))).toBeVisible()
  expect(callsOf(importOrderPayments)).toEqual([])
})
