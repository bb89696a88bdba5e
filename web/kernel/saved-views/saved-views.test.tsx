// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listConsoleViews, saveConsoleView } from '#contract/console/console-views.ts'
import { listKycCases, readKycStatistics } from '#contract/people/kyc-review.ts'
import { listNewsroomPosts } from '#contract/publishing/newsroom.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringPage, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')

// Saved views of console lists are tested in `console/list/console-list.test.tsx`.
test.each([
  ['identity', '/console/identity', 'status=approved&q=Ada', 'assignee=me&gone=1', 'assignee=me'],
  ['newsroom', '/console/newsroom', 'show=drafts&q=testnet', 'show=trash&page=3', 'show=trash'],
])(
  'the list of %s is saved as shown, and a saved view opens it again',
  async (list, path, shown, saved, known) => {
    await signedIn({ isWriteAccessAdmin: true, manageFinance: 2, manageNews: 2 })
    answeringPage(listKycCases, [])
    answeringPage(listNewsroomPosts, [])
    answering(readKycStatistics, {
      waiting: { submitted: 0, in_review: 0, more_info: 0 },
      oldestHours: null,
      decided: { approved: 0, rejected: 0, expired: 0, withdrawn: 0 },
      medianHours: null,
      usualHours: null,
    })
    answering(listConsoleViews, [{ id: 'v1', name: 'Earlier', query: saved }])
    answering(saveConsoleView, { id: 'v2', name: 'Now', query: shown })
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
