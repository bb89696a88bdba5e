// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listConsoleViews } from '#contract/console/console-views.ts'
import {
  assignKycCases,
  getKycCase,
  listKycCaseEvents,
  listKycCases,
  readKycStatistics,
  type KycCase,
  type KycCaseDetail,
} from '#contract/people/kyc-review.ts'
import { aKycCase } from '#tests/setup/a-kyc-case.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringPage, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { navigate } from '../../kernel/navigation/navigate.ts'

const t = wordsOf('en')
const officer = (name: string) => ({ id: name, name })
const named = (name: string, fields: Partial<KycCaseDetail> = {}) =>
  aKycCase({ _id: name.toLowerCase(), firstName: name, ...fields })

type Given = { search?: string; manageFinance?: 1 | 2 }

async function open(cases: KycCase[], { search = '', manageFinance = 2 }: Given = {}) {
  await signedIn({ manageFinance })
  answering(listConsoleViews, [])
  answeringPage(listKycCases, cases)
  answering(readKycStatistics, {
    waiting: { submitted: 1, in_review: 2, more_info: 0 },
    oldestHours: 5,
    decided: { approved: 0, rejected: 0, expired: 0, withdrawn: 0 },
    medianHours: null,
    usualHours: 10,
  })
  const shown = await showPage(`/console/identity${search}`)
  return shown
}
const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }))
const button = (key: string) => screen.getByRole('button', { name: t(key) })
const asked = () => callsOf(listKycCases).at(-1)!.query

test('the queue has the waiting cases, and a filter that is removed shows all', async () => {
  const { user } = await open([])
  expect(await screen.findByText(t('review.none.waiting'))).toBeVisible()
  expect(asked()).toEqual({ status: 'waiting', limit: '25' })
  await user.click(button('console.list.clear'))
  await waitFor(() => expect(location.search).toBe('?status='))
  await waitFor(() => expect(asked()).toEqual({ limit: '25' }))
})

test('addresses of earlier releases have the same cases', async () => {
  await open([named('Ada')], { search: '?status=any&older=72&q=Ada' })
  await screen.findByRole('table')
  expect(asked()).toEqual({ olderThanHours: '72', q: 'Ada', limit: '25' })
})

test('a row says if a case is late, shared, or proposed, and links to it with its queue', async () => {
  const cases = [
    named('Ada', { ageHours: 30 }),
    named('Ben', { ageHours: 30, status: 'approved' }),
    named('Cy', { hasDuplicates: true, possibleMatches: 1 }),
    named('Di', { possibleMatches: null, finalProposedBy: officer('One') }),
    named('Ed', {
      possibleMatches: null,
      status: 'approved',
      finalProposedBy: officer('One'),
      isFinal: true,
    }),
    named('Flo', { isAnswered: true, hasRefusal: true }),
  ]
  await open(cases, { search: '?q=x' })
  const link = await screen.findByRole('link', { name: 'Ada' })
  expect(link).toHaveAttribute('href', '/console/identity?case=ada&q=x')
  const late = t('review.late', { age: '30 hours' })
  expect(await row('Ada').findByText(late)).toBeVisible()
  const flags = ['duplicate', 'match', 'notCompared', 'final', 'answered', 'refused'] as const
  const shown = (name: string) =>
    flags.filter((flag) => row(name).queryByText(t(`review.flags.${flag}`)) !== null)
  expect(row('Ben').queryByText(late)).toBeNull()
  expect(['Ada', 'Cy', 'Di', 'Ed', 'Flo'].map(shown)).toEqual([
    [],
    ['duplicate', 'match'],
    ['notCompared', 'final'],
    [],
    ['answered', 'refused'],
  ])
})

test('a case whose applicant deleted the data has a link, and says that a second reviewer is needed', async () => {
  await open([named('', { isDeleted: true, possibleMatches: null, finalProposedBy: officer('Two') })])
  expect(await screen.findByRole('link', { name: t('review.deleted') })).toBeVisible()
  expect(row(t('review.deleted')).getByText(t('review.flags.final'))).toBeVisible()
  expect(screen.queryByText(t('review.flags.notCompared'))).toBeNull()
})

test('selected cases are assigned, with those of colleagues only if the reviewer says so', async () => {
  const outcome = { code: null, reason: '', field: null, basis: null }
  answering(assignKycCases, {
    rows: [
      { id: 'ada', isDone: true, ...outcome },
      { id: 'ben', isDone: false, ...outcome, code: 'conflict' },
    ],
  })
  const { user } = await open([named('Ada'), named('Ben', { assignee: officer('Two') })])
  await user.click(await screen.findByRole('checkbox', { name: t('console.list.selectAll') }))
  await user.click(button('review.bulk.assign'))
  const dialog = within(screen.getByRole('dialog'))
  await user.selectOptions(
    await dialog.findByRole('combobox', { name: t('review.assignee') }),
    t('review.assignee.me'),
  )
  expect(await dialog.findByText(t('console.list.bulk.wont', { count: 1 }))).toBeVisible()
  expect(dialog.getByText(t('console.list.bulk.conflict'))).toBeVisible()
  const rows = [{ id: 'ada' }, { id: 'ben' }]
  expect(callsOf(assignKycCases)).toMatchObject([
    { body: { isPreview: true, to: 'me', takeOver: false, rows } },
  ])
  await user.click(dialog.getByRole('button', { name: /^Assign/ }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(callsOf(assignKycCases).at(-1)!.body).toMatchObject({ isPreview: false, rows: [{ id: 'ada' }] })
  // The figures above the list count the cases in review.
  await waitFor(() => expect(callsOf(readKycStatistics)).toHaveLength(2))
})

test('reviewers with finance 1 can neither select nor assign cases', async () => {
  await open([named('Ada')], { manageFinance: 1 })
  await screen.findByRole('table')
  expect(screen.queryByRole('checkbox', { name: t('console.list.selectAll') })).toBeNull()
})

test('a case leads to its neighbors in the queue and back to its row, and the queue is read once', async () => {
  const cases = ['Ada', 'Ben', 'Cy'].map((name) => named(name, { photoCount: 0, photos: [] }))
  answering(listKycCaseEvents, [])
  answering(getKycCase, cases[1]!)
  await open(cases, { search: '?q=x' })
  await screen.findByRole('link', { name: 'Ben' })
  await act(() => navigate('/console/identity?case=ben&q=x'))
  const links = within(await screen.findByRole('navigation', { name: t('review.caseNav') }))
  const expected = [
    ['review.previous', 'case=ada&q=x'],
    ['review.next', 'case=cy&q=x'],
    ['review.back', 'q=x'],
  ] as const
  for (const [key, query] of expected)
    expect(links.getByRole('link', { name: t(key) })).toHaveAttribute('href', `/console/identity?${query}`)
  await screen.findByRole('heading', { name: t('review.facts') })
  await act(() => navigate('/console/identity?q=x'))
  await waitFor(() => expect(screen.getByRole('link', { name: 'Ben' })).toHaveFocus())
  expect(callsOf(listKycCases)).toHaveLength(1)
})
