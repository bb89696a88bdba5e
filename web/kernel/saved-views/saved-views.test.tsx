// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  countConsoleViews,
  listConsoleViews,
  renameConsoleView,
  saveConsoleView,
  viewCountMax,
} from '#contract/console/console-views.ts'
import { listKycCases, readKycStatistics } from '#contract/people/kyc-review.ts'
import { listNewsroomPosts } from '#contract/publishing/newsroom.ts'
import { aView } from '#tests/setup/a-saved-view.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringPage, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const noStatistics = {
  waiting: { submitted: 0, in_review: 0, more_info: 0 },
  oldestHours: null,
  decided: { approved: 0, rejected: 0, expired: 0, withdrawn: 0 },
  medianHours: null,
  usualHours: null,
}

// Saved views of console lists are tested in `console/list/console-list.test.tsx`.
test.each([
  ['identity', '/console/identity', 'q=Ada&status=approved', 'assignee=me&gone=1', 'assignee=me'],
  ['newsroom', '/console/newsroom', 'q=testnet&state=draft', 'show=trash&page=3', 'state=deleted'],
])(
  'the list of %s is saved as shown, and a saved view opens it again',
  async (list, path, shown, saved, known) => {
    await signedIn({ isWriteAccessAdmin: true, manageFinance: 2, manageNews: 2 })
    answeringPage(listKycCases, [])
    answeringPage(listNewsroomPosts, [])
    answering(readKycStatistics, noStatistics)
    answering(listConsoleViews, [aView({ id: 'v1', name: 'Earlier', query: saved })])
    answering(saveConsoleView, aView({ id: 'v2', name: 'Now', query: shown }))
    const { user } = await showPage(`${path}?${shown}`)
    const views = within(await screen.findByRole('navigation', { name: t('console.views') }))
    await user.click(await screen.findByRole('button', { name: t('console.views.save') }))
    await user.type(
      screen.getByRole('textbox', { name: t('console.views.name'), hidden: true }),
      'Now{Enter}',
    )
    expect(await views.findByRole('link', { current: true })).toHaveTextContent('Now')
    expect(callsOf(saveConsoleView)).toMatchObject([{ body: { list, name: 'Now', query: shown } }])
    await user.click(views.getByRole('link', { name: 'Earlier' }))
    // Parts of an old view that the list no longer supports are omitted.
    await waitFor(() => expect(location.pathname + location.search).toBe(`${path}?${known}`))
  },
)

test('shared views are listed apart, with counts; only those that the reader can change have actions', async () => {
  await signedIn({ isWriteAccessAdmin: false, manageFinance: 2 })
  answeringPage(listKycCases, [])
  answering(readKycStatistics, noStatistics)
  answering(listConsoleViews, [
    aView({ id: 'v1', name: 'Mine', query: 'assignee=me' }),
    aView({
      id: 'v2',
      name: 'Theirs',
      query: 'status=approved',
      isShared: true,
      isEditable: false,
      isOwn: false,
    }),
    aView({ id: 'v3', name: 'For all', query: 'status=rejected', isShared: true }),
  ])
  answering(countConsoleViews, [
    { id: 'v1', count: 3 },
    { id: 'v2', count: viewCountMax + 1 },
  ])
  const { user } = await showPage('/console/identity?status=approved')
  const views = within(await screen.findByRole('navigation', { name: t('console.views') }))
  const shared = within(await views.findByRole('list', { name: t('console.views.shared') }))
  await waitFor(() => expect(views.getByRole('link', { name: 'Mine (3)' })).toBeVisible(), { timeout: 3000 })
  expect(shared.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Theirs (99+)',
    'For all',
  ])
  expect(screen.queryByRole('button', { name: t('console.views.rename') })).toBeNull()

  await user.click(shared.getByRole('link', { name: 'For all' }))
  await user.click(await screen.findByRole('button', { name: t('console.views.rename') }))
  const box = screen.getByRole('checkbox', { name: t('console.views.share'), hidden: true })
  expect(box).toBeChecked()
  await user.click(box)
  answering(renameConsoleView, aView({ id: 'v3', name: 'For all', query: 'status=rejected' }))
  await user.click(screen.getByRole('button', { name: t('console.views.rename.now'), hidden: true }))
  await waitFor(() => expect(shared.getAllByRole('link')).toHaveLength(1))
  expect(callsOf(renameConsoleView)).toMatchObject([{ body: { name: 'For all', isShared: false } }])
})
