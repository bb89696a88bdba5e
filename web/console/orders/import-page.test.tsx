// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { importOrderPayments, type ImportPlan } from '#contract/console-orders.ts'
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

async function chosen(plan: ImportPlan, bytes: BlobPart = 'reference') {
  await signedIn({ manageFinance: 2 })
  answering(importOrderPayments, plan)
  const view = show(<importPage.View data={undefined} params={{}} search={new URLSearchParams()} />)
  const file = new File([bytes], 'may.csv', { type: 'text/csv' })
  await view.user.upload(screen.getByLabelText(t('consoleOrders.import.file')), file)
  return view
}

test('what would change is shown first; then it is done with what was shown', async () => {
  const { user } = await chosen({ state: 'checked', problems: [], lines: [line] })
  expect(await screen.findByText(t('consoleOrders.import.checked'))).toBeVisible()
  expect(callsOf(importOrderPayments)).toMatchObject([{ body: { file: btoa('reference') } }])
  answering(importOrderPayments, { state: 'applied', problems: [], lines: [line] })
  await user.click(screen.getByRole('button', { name: t('consoleOrders.import.apply', { count: 1 }) }))
  const dialog = within(screen.getByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.import.apply', { count: 1 }) }))
  expect(await screen.findByText(t('consoleOrders.import.applied', { count: 1 }))).toBeVisible()
  expect(callsOf(importOrderPayments).at(-1)).toMatchObject({
    body: { file: btoa('reference'), seen: [{ id: 'o1', updatedAt: line.updatedAt }] },
  })
})

test('a problem is named with its line and column, and nothing can be done', async () => {
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
  expect(screen.queryByRole('button', { name: t('consoleOrders.import.apply', { count: 1 }) })).toBeNull()
})

test('a file that is too large is not sent', async () => {
  await chosen({ state: 'refused', problems: [], lines: [] }, new Uint8Array(1024 * 1024 + 1))
  expect(await screen.findByText(t('consoleOrders.import.tooLarge'))).toBeVisible()
  expect(callsOf(importOrderPayments)).toEqual([])
})
