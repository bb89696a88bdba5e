// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { auditActions, auditActionsOf, auditSubjects } from '#contract/platform/audit-actions.ts'
import {
  getVerification,
  listRecord,
  verifyRecord,
  type RecordEntry,
  type Verification,
} from '#contract/console/console-audit-log.ts'
import { show, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import recordPage from './record-page.tsx'

const t = wordsOf('en')

const anEntry = (fields: Partial<RecordEntry> = {}): RecordEntry => ({
  id: '7',
  at: '2026-11-17T09:30:00.000Z',
  actor: { id: 'aaaaaaaa-0000-4000-8000-000000000000', name: 'Sample Seller' },
  action: 'sale-updated',
  subject: { kind: 'sale', id: null, name: '' },
  detail: { fields: ['BTC.rate'], q: 'hashed:abcdefghijkl' },
  changes: [{ path: 'BTC.rate', from: '10', to: '12.5' }],
  seq: 7,
  hash: 'ab'.repeat(32),
  ...fields,
})

const aVerification = (fields: Partial<Verification> = {}): Verification => ({
  state: 'intact',
  startedAt: '2026-11-20T10:00:00.000Z',
  finishedAt: '2026-11-20T10:00:05.000Z',
  by: 'Sample Admin',
  total: 1200,
  checked: 1200,
  head: 'cd'.repeat(32),
  broken: null,
  ...fields,
})

const { View } = recordPage
const open = async (language: 'en' | 'cn' = 'en', query = '') => {
  await signedIn({ isWriteAccessAdmin: true })
  return show(<View data={undefined} params={{}} search={new URLSearchParams(query)} />, language)
}

async function openFilters(language: 'en' | 'cn', query = '') {
  answering(getVerification, { last: null })
  answering(listRecord, [])
  await signedIn({ isWriteAccessAdmin: true })
  const { user } = await showPage(`/console/record?${query}`, language)
  const words = wordsOf(language)
  await user.click(await screen.findByRole('button', { name: filtersButton[language] }))
  return { user, words, action: screen.getByRole('combobox', { name: words('record.filter.action') }) }
}

const filtersButton = { en: /^Filters/, cn: /^筛选/ }

test('an entry is a sentence, with expandable values before and after', async () => {
  answering(getVerification, { last: null })
  answering(listRecord, [anEntry()])
  const { user } = await open('en', 'action=sale-updated&from=2026-11-17&to=2026-11-17')
  const row = (await screen.findByText('Sample Seller changed the sale settings.')).closest('tr')!
  expect(within(row).getByText(/^Nov 17, (2026, )?09:30:00$/)).toBeVisible()
  await user.click(within(row).getByText(t('record.details')))
  expect(within(row).getByText('10 → 12.5')).toBeVisible()
  expect(within(row).getByText(t('record.hashed', { hash: 'abcdefgh' }))).toBeVisible()
  expect(callsOf(listRecord)).toMatchObject([
    { query: { action: 'sale-updated', from: '2026-11-17', to: '2026-11-17' } },
  ])
})

test('an entry can be by the program, by an erased member, or of an unknown action', async () => {
  answering(getVerification, { last: null })
  answering(listRecord, [
    anEntry({ id: '1', seq: 1, actor: null }),
    anEntry({ id: '2', seq: 2, actor: { id: 'bbbbbbbb-1', name: '' } }),
    anEntry({ id: '3', seq: 3, action: 'thing-done' }),
  ])
  await open()
  expect(await screen.findByText('System changed the sale settings.')).toBeVisible()
  expect(screen.getByText('(erased account bbbbbbbb) changed the sale settings.')).toBeVisible()
  expect(screen.getByText('Sample Seller: thing-done')).toBeVisible()
})

test('an entry that was just written says that it is not sealed yet', async () => {
  answering(getVerification, { last: null })
  answering(listRecord, [anEntry({ seq: null, hash: '' })])
  const { user } = await open()
  await user.click(await screen.findByText(t('record.details')))
  expect(screen.getByText(t('record.unsealed'))).toBeVisible()
  expect(screen.queryByText(/null/)).toBeNull()
})

test.each(['en', 'cn'] as const)('every action is offered, under its area, in %s', async (language) => {
  const { user, words, action } = await openFilters(language)
  await user.click(action)
  const list = within(screen.getByRole('listbox', { name: words('record.filter.action') }))
  const offered = list.getAllByRole('option').map(({ textContent }) => textContent)
  expect(offered).toHaveLength(1 + auditActions.length)
  for (const kind of auditSubjects) {
    const group = within(list.getByRole('group', { name: words(`record.kind.${kind}`) }))
    expect(group.getAllByRole('option')).toHaveLength(auditActionsOf[kind].length)
  }
})

test('an area narrows the actions, which are found by typing and chosen by keyboard', async () => {
  const { user, action } = await openFilters('en')
  const area = screen.getByRole('combobox', { name: t('record.filter.kind') })
  await user.selectOptions(area, t('record.kind.sale'))
  await user.click(action)
  const list = within(screen.getByRole('listbox'))
  // The first one removes the filter.
  expect(list.getAllByRole('option')).toHaveLength(1 + auditActionsOf.sale.length)
  await user.keyboard('change propose')
  expect(list.getAllByRole('option')).toHaveLength(3)
  await user.keyboard('{ArrowDown}')
  const marked = list.getByRole('option', { selected: true })
  expect(marked).toHaveTextContent('Declined a proposed change to the sale settings')
  expect(action).toHaveAttribute('aria-activedescendant', marked.id)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(location.search).toBe('?kind=sale&action=sale-proposal-declined'))
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('another area removes an action that it does not have; Escape changes nothing', async () => {
  const { user, action } = await openFilters('en', 'action=sale-updated')
  expect(action).toHaveValue('Changed the sale settings')
  await user.click(action)
  await user.keyboard('order{Escape}')
  expect(action).toHaveValue('Changed the sale settings')
  await user.click(action)
  await user.keyboard('no such action')
  expect(screen.getByText(t('console.palette.nothing'))).toBeVisible()
  await user.tab()
  expect(action).toHaveValue('Changed the sale settings')
  await user.selectOptions(screen.getByRole('combobox', { name: t('record.filter.kind') }), 'member')
  await waitFor(() => expect(location.search).toBe('?kind=member'))
})

test('a verification is started and followed, and its last hash is shown', async () => {
  answeringInTurn(getVerification, { last: null }, { last: aVerification() })
  answering(verifyRecord, aVerification({ state: 'running', checked: 400, head: null, finishedAt: null }))
  answering(listRecord, [])
  const { user } = await open()
  expect(await screen.findByText(t('record.chain.never'))).toBeVisible()
  await user.click(screen.getByRole('button', { name: t('record.chain.verify') }))
  expect(await screen.findByText(t('record.chain.running', { checked: '400', total: '1,200' }))).toBeVisible()
  expect(await screen.findByText(/The chain is intact .* 1,200\./)).toBeVisible()
  expect(screen.getByText('cd'.repeat(32))).toBeVisible()
  expect(screen.getByRole('button', { name: t('record.chain.save') })).toBeEnabled()
})

test('a broken chain says where and what to do, and exports no hash', async () => {
  answering(getVerification, {
    last: aVerification({ state: 'broken', broken: { seq: 3, why: 'missing' } }),
  })
  answering(listRecord, [])
  await open()
  expect(await screen.findByText(t('record.chain.missing', { seq: 3 }))).toBeVisible()
  expect(screen.getByText(t('record.chain.help'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('record.chain.save') })).toBeNull()
})
