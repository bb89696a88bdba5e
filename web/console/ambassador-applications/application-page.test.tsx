// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  acceptAmbassadorApplication,
  addApplicationNote,
  assignAmbassadorApplication,
  declineAmbassadorApplication,
  getAmbassadorApplication,
  listApplicationColleagues,
  reviewAmbassadorApplication,
  type ApplicationDetail,
} from '#contract/people/console-ambassadors.ts'
import { endUndoTime, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')

const received: ApplicationDetail = {
  id: 'a1',
  fullName: 'Ada Sample',
  city: 'Oslo',
  country: 'Norway',
  language: 'cn',
  status: 'received',
  createdAt: '2036-05-01T10:00:00.000Z',
  stateAt: '2036-05-01T10:00:00.000Z',
  lastUpdated: '2036-05-01T10:00:00.000Z',
  sentAgainAt: null,
  assignee: null,
  hasDuplicate: true,
  waitsLong: false,
  ambassadorId: null,
  email: 'ada@example.org',
  memberId: null,
  socialMedia: ['https://social.example/ada', 'javascript:alert(1)', '@ada'],
  description: 'Evening classes.',
  reason: '',
  isReasonTold: false,
  isErasable: true,
  erasedAt: null,
  notes: [],
  steps: [],
  duplicates: [
    {
      id: 'a2',
      fullName: 'ada sample',
      city: 'Bergen',
      country: 'Norway',
      status: 'declined',
      createdAt: '2036-04-01T10:00:00.000Z',
      by: ['name', 'link'],
    },
  ],
}
const inReview: ApplicationDetail = {
  ...received,
  status: 'in_review',
  lastUpdated: '2036-05-02T10:00:00.000Z',
  assignee: { id: 'me', name: 'Me' },
  steps: [{ id: '1', kind: 'in_review', at: '2036-05-02T10:00:00.000Z', by: 'Clerk', to: null }],
}

async function onPage(shown = received, manageEmployee: 1 | 2 = 2) {
  await signedIn({ manageEmployee })
  answering(getAmbassadorApplication, shown)
  answering(listApplicationColleagues, [{ id: 'c2', name: 'Colleague' }])
  const page = await showPage('/console/ambassadors/applications/a1')
  await screen.findByRole('heading', { level: 1, name: 'Ada Sample' })
  return page
}
const button = (name: string) => screen.getByRole('button', { name })

test('shows the applicant, their reasons, and duplicates, and links only web addresses', async () => {
  await onPage()
  expect(screen.getByText('Evening classes.')).toBeVisible()
  expect(screen.getByRole('link', { name: /social\.example\/ada/ })).toHaveAttribute(
    'href',
    'https://social.example/ada',
  )
  expect(screen.getByText('javascript:alert(1)').closest('a')).toBeNull()
  expect(screen.getByRole('link', { name: 'ada sample' })).toHaveAttribute(
    'href',
    '/console/ambassadors/applications/a2',
  )
  const signs = [t('consoleAmbassadors.same.name'), t('consoleAmbassadors.same.link')].join(', ')
  expect(screen.getByText(t('consoleAmbassadors.same', { signs }))).toBeVisible()
})

test('the review starts with one click, and then it can be accepted', async () => {
  answering(reviewAmbassadorApplication, inReview)
  answering(acceptAmbassadorApplication, { ...inReview, status: 'accepted', ambassadorId: 'b1' })
  const { user } = await onPage()
  expect(screen.queryByRole('button', { name: t('consoleAmbassadors.accept') })).toBeNull()
  await user.click(button(t('consoleAmbassadors.review')))
  expect(await screen.findByText(/Clerk/)).toBeVisible()
  await user.click(button(t('consoleAmbassadors.accept')))
  await user.click(button(t('consoleAmbassadors.accept.label')))
  expect(await screen.findByText(t('consoleAmbassadors.invited'))).toBeVisible()
  expect(callsOf(acceptAmbassadorApplication)[0]!.body).toEqual({ lastUpdated: inReview.lastUpdated })
})

test('if a colleague was faster, both states are shown and input stays', async () => {
  const { user } = await onPage(inReview)
  await user.click(button(t('consoleAmbassadors.decline')))
  await user.type(within(screen.getByRole('dialog')).getByRole('textbox'), 'Enough of us.')
  refusing(declineAmbassadorApplication, 'conflict')
  const moved = {
    ...inReview,
    assignee: { id: 'c2', name: 'Colleague' },
    lastUpdated: '2036-05-03T10:00:00.000Z',
  }
  answering(getAmbassadorApplication, moved)
  await user.click(button(t('consoleAmbassadors.decline.label')))
  await endUndoTime()
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText(t('console.stale'))).toBeVisible()
  expect(within(dialog).getByRole('row', { name: /Me Colleague/ })).toBeVisible()
  expect(within(dialog).getByRole('textbox')).toHaveValue('Enough of us.')
  answering(declineAmbassadorApplication, { ...moved, status: 'declined', reason: 'Enough of us.' })
  await user.click(within(dialog).getByRole('button', { name: t('consoleAmbassadors.decline.label') }))
  await endUndoTime()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(callsOf(declineAmbassadorApplication).at(-1)!.body).toEqual({
    reason: 'Enough of us.',
    isReasonTold: false,
    lastUpdated: moved.lastUpdated,
  })
})

test('actions without a dialog also show both states', async () => {
  const { user } = await onPage()
  refusing(reviewAmbassadorApplication, 'conflict')
  answeringInTurn(getAmbassadorApplication, { ...received, city: 'Bergen' })
  await user.click(button(t('consoleAmbassadors.review')))
  expect(await screen.findByText(t('console.stale'))).toBeVisible()
  expect(screen.getByRole('row', { name: /Oslo Bergen/ })).toBeVisible()
})

test('can be assigned to a colleague, and unassigned', async () => {
  answering(assignAmbassadorApplication, { ...received, assignee: { id: 'c2', name: 'Colleague' } })
  const { user } = await onPage()
  const choice = () => screen.getByRole('combobox', { name: t('console.assignee') })
  await within(choice()).findByRole('option', { name: 'Colleague' })
  expect(button(t('console.assign'))).toBeDisabled()
  await user.selectOptions(choice(), 'Colleague')
  await user.click(button(t('console.assign')))
  await waitFor(() => expect(choice()).toHaveValue('c2'))
  await user.selectOptions(choice(), t('console.assignee.nobody'))
  await user.click(button(t('console.assign')))
  await waitFor(() =>
    expect(callsOf(assignAmbassadorApplication).map(({ body }) => body.to)).toEqual(['c2', null]),
  )
})

test('readers see no actions and no field for notes', async () => {
  await onPage(inReview, 1)
  expect(screen.getByText(t('consoleAmbassadors.readOnly'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleAmbassadors.accept') })).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('a note is added for colleagues', async () => {
  const note = { id: 'n1', text: 'Speaks well.', at: '2036-05-03T10:00:00.000Z', by: 'Me', isRemovable: true }
  answering(addApplicationNote, { ...received, notes: [note] })
  const { user } = await onPage()
  await user.type(screen.getByRole('textbox', { name: t('console.notes.label') }), 'Speaks well.')
  await user.click(button(t('console.notes.add')))
  expect(await screen.findByText('Speaks well.')).toBeVisible()
  expect(screen.getByRole('textbox', { name: t('console.notes.label') })).toHaveValue('')
})
