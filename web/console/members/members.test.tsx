// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  cancelMemberEmailChange,
  correctMemberEmail,
  getConsoleMember,
  offerMemberRecovery,
  listConsoleMembers,
  readMemberTimeline,
  resendMemberActivations,
  setMemberActive,
  setMemberRights,
  type ConsoleMemberDetail,
} from '#contract/people/console-members.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')

const member: ConsoleMemberDetail = {
  id: 'm1',
  email: 'anna@example.org',
  name: 'Anna',
  displayName: 'Anna',
  firstName: '',
  midName: '',
  lastName: '',
  active: true,
  isClosed: false,
  isWriteAccessAdmin: false,
  manageNews: 0,
  manageEmployee: 0,
  manageFinance: 1,
  manageCoins: 0,
  kyc: 'approved',
  hasFactor: true,
  memberSince: '2036-05-01T10:00:00.000Z',
  lastSignIn: null,
  assignee: null,
  language: 'en',
  closedAt: null,
  sessions: 2,
  factors: ['passkey'],
  lastUpdated: '2036-05-02T10:00:00.000Z',
  mailbox: null,
  notes: [],
  emailChange: null,
  recovery: null,
  erasure: null,
}

async function onMemberPage(shown = member) {
  answering(getConsoleMember, shown)
  answering(readMemberTimeline, [
    {
      key: 's1',
      at: '2036-05-02T10:00:00.000Z',
      kind: 'signIn',
      what: 'signed-in',
      by: null,
      isMember: true,
      subjectId: null,
      subject: '',
      detail: 'Firefox · Windows',
    },
  ])
  const page = await showPage('/console/members/m1')
  await screen.findByRole('heading', { level: 1, name: 'Anna' })
  return page
}

test('the list finds members by words, links to them, and shows granted rights', async () => {
  await signedIn({ manageEmployee: 1 })
  answering(listConsoleMembers, [{ ...member, waitingRights: { ...member, needs: ['password'] } }])
  const { user } = await showPage('/console/members')
  const link = await screen.findByRole('link', { name: /^anna@ ?example\. ?org$/ })
  expect(link).toHaveAttribute('href', '/console/members/m1')
  expect(screen.getByText(t('consoleMembers.right.waiting'))).toBeVisible()
  // Members with read access get no bulk actions.
  expect(screen.queryByRole('checkbox', { name: t('console.list.selectAll') })).toBeNull()
  await user.type(screen.getByRole('searchbox', { name: t('consoleMembers.search') }), 'anna')
  await waitFor(() => expect(callsOf(listConsoleMembers).at(-1)?.query).toMatchObject({ q: 'anna' }))
})

test('the page of a member from the list leads to its neighbors, and back to the list as it was', async () => {
  await signedIn({ manageEmployee: 1 })
  answering(
    listConsoleMembers,
    ['m0', 'm1', 'm2'].map((id) => ({ ...member, id, email: `${id}@example.org` })),
  )
  await showPage('/console/members?active=yes')
  await screen.findByRole('link', { name: /^m1@/ })
  cleanup()
  const { user } = await onMemberPage()
  const link = (key: string) => screen.queryByRole('link', { name: t(key) })
  expect(link('consoleMembers.back')).toHaveAttribute('href', '/console/members?active=yes')
  expect(link('console.detail.previous')).toHaveAttribute('href', '/console/members/m0')
  expect(link('console.detail.next')).toHaveAttribute('href', '/console/members/m2')
  await user.keyboard('j')
  await waitFor(() => expect(location.pathname).toBe('/console/members/m2'))
  await waitFor(() => expect(link('console.detail.next')).toBeNull())
  expect(link('console.detail.previous')).toHaveAttribute('href', '/console/members/m1')
  await user.keyboard('u')
  await waitFor(() => expect(location.pathname + location.search).toBe('/console/members?active=yes'))
  await waitFor(() => expect(screen.getByRole('link', { name: /^m2@/ })).toHaveFocus())
})

test('a middle click in a row opens the member in a new tab', async () => {
  await signedIn({ manageEmployee: 1 })
  answering(listConsoleMembers, [member])
  const { user } = await showPage('/console/members')
  const row = (await screen.findByRole('link', { name: /^anna@/ })).closest('tr')!
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  await user.pointer({ target: row.lastElementChild!, keys: '[MouseMiddle]' })
  expect(open.mock.calls).toEqual([[expect.stringMatching(/\/console\/members\/m1$/), '_blank', 'noopener']])
  expect(location.pathname).toBe('/console/members')
  open.mockRestore()
})

test('a bulk action first lists whom it can’t be done for, and why', async () => {
  await signedIn({ manageEmployee: 2 })
  answering(listConsoleMembers, [member])
  const refused = { isDone: false, code: 'conflict', field: null, basis: null, reason: '' } as const
  answering(resendMemberActivations, { rows: [{ id: member.id, ...refused }] })
  const { user } = await showPage('/console/members')
  await user.click(await screen.findByRole('checkbox', { name: t('console.list.selectAll') }))
  await user.click(screen.getByRole('button', { name: t('consoleMembers.bulk.activation') }))
  const dialog = within(screen.getByRole('dialog'))
  expect(await dialog.findByText(t('console.list.bulk.conflict'))).toBeVisible()
  expect(dialog.getByRole('listitem')).toHaveTextContent(/anna@example\.org/)
})

test('readers get no actions, but see the history', async () => {
  await signedIn({ manageEmployee: 1 })
  await onMemberPage()
  expect(screen.getByText(t('consoleMembers.readOnly'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleMembers.closing') })).toBeNull()
  expect(screen.queryByRole('button', { name: t('console.notes.add') })).toBeNull()
  expect(await screen.findByText('Firefox · Windows')).toBeVisible()
})

test('closing requires a reason, and says what was sent', async () => {
  await signedIn({ manageEmployee: 2 })
  const { user } = await onMemberPage({ ...member, manageFinance: 0 })
  // Only administrators can change rights.
  expect(screen.queryByRole('button', { name: t('consoleMembers.rights.change') })).toBeNull()
  await user.click(screen.getByRole('button', { name: t('consoleMembers.closing') }))
  const confirm = screen.getByRole('button', { name: t('consoleMembers.closing.label') })
  await user.click(confirm)
  expect(callsOf(setMemberActive)).toEqual([])
  expect(screen.getByText(t('field.required'))).toBeVisible()
  answering(setMemberActive, { ...member, manageFinance: 0, active: false, isClosed: true })
  await user.type(screen.getByLabelText(t('consoleMembers.reason')), 'Asked by telephone.')
  await user.click(confirm)
  expect(await screen.findByText(t('consoleMembers.state.closed'))).toBeVisible()
  // A deactivated account cannot be erased before it is reactivated.
  expect(screen.getByText(t('consoleMembers.erasure.closed'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleMembers.erasure') })).toBeNull()
  expect(callsOf(setMemberActive)[0]?.body).toEqual({
    active: false,
    reason: 'Asked by telephone.',
    lastUpdated: member.lastUpdated,
  })
})

test('only an administrator can close a staff account and sign it out', async () => {
  await signedIn({ manageEmployee: 2 })
  await onMemberPage()
  const lockingOut = ['consoleMembers.closing', 'consoleMembers.ending', 'consoleMembers.erasure'] as const
  for (const label of lockingOut) expect(screen.queryByRole('button', { name: t(label) })).toBeNull()
  expect(screen.getByText(t('consoleMembers.staffAccount'))).toBeVisible()
  expect(screen.getByRole('button', { name: t('consoleMembers.reset') })).toBeVisible()
})

test('an administrator can close a staff account, but not erase it', async () => {
  await signedIn({ isWriteAccessAdmin: true })
  await onMemberPage()
  expect(screen.getByRole('button', { name: t('consoleMembers.closing') })).toBeVisible()
  expect(screen.getByRole('button', { name: t('consoleMembers.ending') })).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleMembers.erasure') })).toBeNull()
  expect(screen.queryByText(t('consoleMembers.staffAccount'))).toBeNull()
})

test('rights: only changes are sent; a stale form shows both states and keeps input', async () => {
  await signedIn({ isWriteAccessAdmin: true })
  const { user } = await onMemberPage()
  await user.click(screen.getByRole('button', { name: t('consoleMembers.rights.change') }))
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByLabelText(t('consoleMembers.reason')), 'Joins finance.')
  const confirm = dialog.getByRole('button', { name: t('consoleMembers.rights.label') })
  await user.click(confirm)
  expect(dialog.getByText(t('consoleMembers.rights.same'))).toBeVisible()
  refusing(setMemberRights, 'conflict')
  await user.selectOptions(dialog.getByLabelText(t('consoleMembers.right.finance')), '2')
  const now = { ...member, manageNews: 1 as const, lastUpdated: '2026-02-02T10:00:00.000Z' }
  answering(getConsoleMember, now)
  await user.click(confirm)
  expect(callsOf(setMemberRights)[0]?.body).toEqual({
    manageFinance: 2,
    reason: 'Joins finance.',
    lastUpdated: member.lastUpdated,
  })
  const row = await dialog.findByRole('row', { name: new RegExp(t('consoleMembers.rights')) })
  const cells = within(row).getAllByRole('cell')
  const news = t('consoleMembers.right.level', { right: t('consoleMembers.right.news'), level: 1 })
  expect(cells[0]).not.toHaveTextContent(news)
  expect(cells[1]).toHaveTextContent(news)
  expect(dialog.getByLabelText(t('consoleMembers.right.finance'))).toHaveValue('2')
  expect(dialog.getByLabelText(t('consoleMembers.right.news'))).toHaveValue('1')
  answering(setMemberRights, { ...now, manageFinance: 2 as const })
  await user.click(confirm)
  expect(callsOf(setMemberRights)[1]?.body).toEqual({
    manageFinance: 2,
    reason: 'Joins finance.',
    lastUpdated: now.lastUpdated,
  })
})

test('a pending erasure names its opener, who cannot carry it out', async () => {
  await signedIn({ manageEmployee: 2 })
  const erasure = {
    openedAt: '2026-01-01T10:00:00.000Z',
    openedBy: 'Clerk',
    isOwn: true,
    reason: 'By letter.',
    dueAt: '2026-01-02T10:00:00.000Z',
  }
  await onMemberPage({ ...member, erasure })
  expect(screen.getByText('By letter.')).toBeVisible()
  expect(screen.getByText(t('consoleMembers.erasure.own'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleMembers.erasure.confirm') })).toBeNull()
  expect(screen.getByRole('button', { name: t('consoleMembers.erasure.drop') })).toBeVisible()
})

const ordinary = { ...member, manageFinance: 0 as const }
const pendingChange = {
  newEmail: 'anna.new@example.org',
  startedAt: '2036-05-03T10:00:00.000Z',
  startedBy: 'Clerk (clerk@example.org)',
  takesEffectAt: '2036-05-04T10:00:00.000Z',
  isConfirmed: false,
  expiresAt: '2036-05-10T10:00:00.000Z',
}

test.each(['en', 'cn'] as const)(
  'correcting the address says how it is protected, keeps input that is refused, and shows the change (%s)',
  async (language) => {
    const t = wordsOf(language)
    await signedIn({ manageEmployee: 2 })
    answering(readMemberTimeline, [])
    answering(getConsoleMember, ordinary)
    const { user } = await showPage('/console/members/m1', language)
    await user.click(await screen.findByRole('button', { name: t('consoleMembers.emailCorrection') }))
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByText(t('consoleMembers.emailCorrection.lostMailbox'))).toBeVisible()
    const confirm = dialog.getByRole('button', { name: t('consoleMembers.emailCorrection.label') })
    await user.type(dialog.getByLabelText(t('consoleMembers.reason')), 'Misspelled.')
    await user.click(confirm)
    expect(dialog.getByText(t('field.required'))).toBeVisible()
    expect(callsOf(correctMemberEmail)).toEqual([])
    const address = dialog.getByLabelText(t('consoleMembers.emailCorrection.new'))
    await user.type(address, ' taken@example.org')
    refusing(correctMemberEmail, 'validation_failed', {
      errors: [{ path: 'email', code: 'email_taken', message: t('field.email_taken') }],
    })
    await user.keyboard('{Tab}{Tab}{Tab}{Enter}')
    expect(await dialog.findByText(t('field.email_taken'))).toBeVisible()
    expect(address).toHaveAccessibleDescription(t('field.email_taken'))
    expect(dialog.getByLabelText(t('consoleMembers.reason'))).toHaveValue('Misspelled.')
    await user.clear(address)
    await user.type(address, 'anna.new@example.org')
    answering(correctMemberEmail, { ...ordinary, emailChange: pendingChange })
    await user.click(confirm)
    expect(
      await screen.findByRole('region', { name: t('consoleMembers.emailChange.heading') }),
    ).toHaveTextContent('anna.new@example.org')
    expect(callsOf(correctMemberEmail).map(({ body }) => body)).toEqual([
      { email: 'taken@example.org', reason: 'Misspelled.' },
      { email: 'anna.new@example.org', reason: 'Misspelled.' },
    ])
    expect(screen.queryByRole('button', { name: t('consoleMembers.emailCorrection') })).toBeNull()
  },
)

test('a pending change names what it waits for, and staff can cancel it', async () => {
  await signedIn({ manageEmployee: 2 })
  const { user } = await onMemberPage({ ...ordinary, emailChange: { ...pendingChange, isConfirmed: true } })
  const notice = within(screen.getByRole('region', { name: t('consoleMembers.emailChange.heading') }))
  expect(notice.getByText(/new address is confirmed/)).toBeVisible()
  answering(cancelMemberEmailChange, ordinary)
  await user.click(notice.getByRole('button', { name: t('consoleMembers.emailChange.drop') }))
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: t('consoleMembers.emailChange.heading') })).toBeNull(),
  )
  expect(screen.getByRole('button', { name: t('consoleMembers.emailCorrection') })).toBeVisible()
})

test('a change that the member started waits for their code; readers can’t cancel it', async () => {
  await signedIn({ manageEmployee: 1 })
  await onMemberPage({
    ...ordinary,
    emailChange: { ...pendingChange, startedBy: null, takesEffectAt: null },
  })
  const notice = within(screen.getByRole('region', { name: t('consoleMembers.emailChange.heading') }))
  expect(notice.getByText(/enter the code/)).toBeVisible()
  expect(notice.queryByRole('button')).toBeNull()
})

test('an address can’t be corrected where the server refuses it: of staff, of oneself, and while emails bounce', async () => {
  await signedIn({ manageEmployee: 2, id: 'clerk' })
  const isOffered = () => screen.queryByRole('button', { name: t('consoleMembers.emailCorrection') }) !== null
  await onMemberPage()
  expect(isOffered()).toBe(false)
  cleanup()
  await onMemberPage({ ...ordinary, active: false })
  expect(isOffered()).toBe(false)
  cleanup()
  await onMemberPage({
    ...ordinary,
    mailbox: { refusedAt: '2036-05-01T10:00:00.000Z', trouble: 'refused', code: '550', isReported: false },
  })
  expect(isOffered()).toBe(false)
  expect(screen.getByText(t('consoleMembers.emailCorrection.bouncing'))).toBeVisible()
})

test('a complaint is shown with what is still sent, and can be removed', async () => {
  await signedIn({ manageEmployee: 2 })
  await onMemberPage({
    ...ordinary,
    mailbox: {
      refusedAt: '2036-05-01T10:00:00.000Z',
      trouble: 'complaint',
      code: 'complaint',
      isReported: true,
    },
  })
  expect(screen.getByText(t('consoleMembers.mailbox.spam.heading'))).toBeVisible()
  expect(screen.getByText(t('consoleMembers.mailbox.spam.still'))).toBeVisible()
  expect(screen.getByRole('button', { name: t('consoleMembers.mailbox.remove') })).toBeVisible()
})

test.each(['en', 'cn'] as const)(
  'a member who lost all factors is sent instructions, with a reason (%s)',
  async (language) => {
    const t = wordsOf(language)
    await signedIn({ manageEmployee: 2 })
    answering(readMemberTimeline, [])
    answering(getConsoleMember, ordinary)
    const { user } = await showPage('/console/members/m1', language)
    await user.click(await screen.findByRole('button', { name: t('consoleMembers.recovery') }))
    const dialog = within(screen.getByRole('dialog'))
    await user.type(dialog.getByLabelText(t('consoleMembers.reason.asked')), 'By telephone.')
    answering(offerMemberRecovery, ordinary)
    await user.click(dialog.getByRole('button', { name: t('consoleMembers.recovery.label') }))
    expect(await screen.findByText(t('consoleMembers.recovery.done'))).toBeVisible()
    expect(callsOf(offerMemberRecovery)[0]?.body).toEqual({ reason: 'By telephone.' })
  },
)

test('an open account recovery shows its state and where staff decide on it, instead of the action', async () => {
  await signedIn({ manageEmployee: 2 })
  const askedAt = '2036-05-03T10:00:00.000Z'
  for (const [state, takesEffectAt, words] of [
    ['asked', null, /must verify/],
    ['opened', null, /another one must approve/],
    ['confirmed', '2036-05-04T10:00:00.000Z', /will be removed on May 4, 2036/],
  ] as const) {
    await onMemberPage({ ...ordinary, recovery: { state, takesEffectAt, askedAt } })
    const notice = screen.getByRole('region', { name: t('consoleMembers.recovery.heading') })
    expect(notice).toHaveTextContent(words)
    const link = screen.getByRole('link', { name: t('consoleMembers.recovery.open') })
    expect(link).toHaveAttribute('href', '/console/lost-factors')
    expect(screen.queryByRole('button', { name: t('consoleMembers.recovery') })).toBeNull()
    cleanup()
  }
})

test('readers see the state of an account recovery, without a link to the page that they can’t open', async () => {
  await signedIn({ manageEmployee: 1 })
  const recovery = { state: 'asked', takesEffectAt: null, askedAt: '2036-05-03T10:00:00.000Z' } as const
  await onMemberPage({ ...ordinary, recovery })
  expect(screen.getByText(/must verify/)).toBeVisible()
  expect(screen.queryByRole('link', { name: t('consoleMembers.recovery.open') })).toBeNull()
})

test('an account without a second factor has nothing to recover', async () => {
  await signedIn({ manageEmployee: 2 })
  await onMemberPage({ ...ordinary, factors: [] })
  expect(screen.queryByRole('button', { name: t('consoleMembers.recovery') })).toBeNull()
})

test('a missing member links back to the list', async () => {
  await signedIn({ manageEmployee: 1 })
  refusing(getConsoleMember, 'not_found')
  await showPage('/console/members/x')
  expect(await screen.findByText(t('consoleMembers.failed'))).toBeVisible()
  expect(screen.getByRole('heading', { level: 1, name: t('consoleMembers.member') })).toBeVisible()
  expect(screen.getByRole('link', { name: t('consoleMembers.back') })).toBeVisible()
  expect(screen.queryByRole('button', { name: t('forms.retry') })).toBeNull()
})

test('a member who failed to load can be retried', async () => {
  await signedIn({ manageEmployee: 1 })
  refusing(getConsoleMember, 'unexpected')
  await showPage('/console/members/x')
  expect(await screen.findByRole('button', { name: t('forms.retry') })).toBeVisible()
  expect(screen.getByRole('link', { name: t('consoleMembers.back') })).toBeVisible()
})
