// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ambassadorStates } from '#contract/people/ambassadors.ts'
import {
  declineAmbassadorApplications,
  listAmbassadorApplications,
  listApplicationCountries,
  readApplicationBoard,
  type ApplicationBoard,
  type ListedApplication,
} from '#contract/people/console-ambassadors.ts'
import { DAY } from '#contract/platform/durations.ts'
import { endUndoTime, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringPage, callsOf, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')

const application = (n: number, more: Partial<ListedApplication> = {}): ListedApplication => ({
  id: `a${n}`,
  fullName: `Applicant ${n}`,
  city: 'Oslo',
  country: 'Norway',
  language: 'en',
  status: 'received',
  createdAt: '2036-05-01T10:00:00.000Z',
  stateAt: '2036-05-01T10:00:00.000Z',
  lastUpdated: `2036-05-01T10:00:00.00${n}Z`,
  sentAgainAt: null,
  assignee: null,
  hasDuplicate: false,
  waitsLong: false,
  erasedAt: null,
  ambassadorId: null,
  ...more,
})

const boardOf = (rows: readonly ListedApplication[], next: string | null = null): ApplicationBoard => ({
  columns: ambassadorStates.map((status) => {
    const own = rows.filter((row) => row.status === status)
    const isFirst = status === 'received'
    return { status, count: own.length + (isFirst && next ? 1 : 0), rows: own, next: isFirst ? next : null }
  }),
})

async function inWindow(isWide: boolean, manageEmployee: 1 | 2 = 2): Promise<void> {
  vi.stubGlobal('matchMedia', () => ({
    matches: isWide,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  await signedIn({ manageEmployee })
}

beforeEach(() => answering(listApplicationCountries, { countries: ['NO', 'utopia'] }))

const daysFromNow = (days: number) => new Date(Date.now() + days * DAY).toISOString()

const column = (name: string) => screen.getByRole('region', { name: new RegExp(`^${name}`) })

test('a wide window shows one column per state with its count and cards as links', async () => {
  await inWindow(true)
  answering(
    readApplicationBoard,
    boardOf([
      application(1),
      application(2, { hasDuplicate: true }),
      application(3, { status: 'in_review', assignee: { id: 'c', name: 'Clerk' } }),
    ]),
  )
  const { user } = await showPage('/console/ambassadors?status=open')
  const first = await screen.findByRole('link', { name: 'Applicant 1' })
  expect(first).toHaveAttribute('href', '/console/ambassadors/applications/a1')
  expect(column(t('consoleAmbassadors.state.received'))).toHaveAccessibleName(/2$/)
  expect(within(column(t('consoleAmbassadors.state.in_review'))).getByText(/Clerk/)).toBeVisible()
  expect(screen.getAllByText(t('consoleAmbassadors.duplicate'))).toHaveLength(1)
  expect(
    within(column(t('consoleAmbassadors.state.declined'))).getByText(t('consoleAmbassadors.none.declined')),
  ).toBeVisible()
  first.focus()
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('link', { name: 'Applicant 2' })).toHaveFocus()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('link', { name: 'Applicant 3' })).toHaveFocus()
  await user.keyboard('{ArrowRight}{ArrowDown}')
  expect(screen.getByRole('link', { name: 'Applicant 3' })).toHaveFocus()
})

test('overdue applications are marked, and accepted ones are one step away', async () => {
  await inWindow(true)
  answering(
    readApplicationBoard,
    boardOf([
      application(1, { waitsLong: true, createdAt: daysFromNow(-350), erasedAt: daysFromNow(15) }),
      application(2, { waitsLong: true, createdAt: daysFromNow(-20), erasedAt: daysFromNow(345) }),
      application(3, { erasedAt: daysFromNow(364) }),
      application(4, { status: 'accepted', ambassadorId: 'b1' }),
    ]),
  )
  const { user } = await showPage('/console/ambassadors')
  await screen.findByText(t('consoleAmbassadors.reminder', { days: 14 }))
  expect(screen.getByText(t('consoleAmbassadors.waits', { age: '350 days' }))).toBeVisible()
  expect(screen.getByText(t('consoleAmbassadors.waits', { age: '20 days' }))).toBeVisible()
  expect(screen.getAllByText(/^Will be erased on /)).toHaveLength(1)
  const onward = screen.getByRole('link', { name: `${t('consoleAmbassadors.ambassador')} Applicant 4` })
  expect(onward).toHaveAttribute('href', '/console/ambassadors/profiles/b1')
  // The arrow keys still move from card to card.
  screen.getByRole('link', { name: 'Applicant 3' }).focus()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('link', { name: 'Applicant 4' })).toHaveFocus()
})

test('a column can show more, and moves the focus to the first new card', async () => {
  await inWindow(true)
  answering(readApplicationBoard, boardOf([application(1)], 'further'))
  answeringPage(listAmbassadorApplications, [application(2)])
  const { user } = await showPage('/console/ambassadors')
  await user.click(await screen.findByRole('button', { name: t('consoleAmbassadors.more') }))
  const next = await screen.findByRole('link', { name: 'Applicant 2' })
  await waitFor(() => expect(next).toHaveFocus())
  expect(callsOf(listAmbassadorApplications)[0]!.query).toMatchObject({
    status: 'received',
    sort: 'arrived',
    after: 'further',
  })
  expect(screen.queryByRole('button', { name: t('consoleAmbassadors.more') })).toBeNull()
})

test('the board is filtered by country and language, according to its address', async () => {
  await inWindow(true)
  answering(readApplicationBoard, boardOf([application(1)]))
  const { user } = await showPage('/console/ambassadors?sentIn=cn')
  await screen.findByRole('link', { name: 'Applicant 1' })
  expect(callsOf(readApplicationBoard)[0]!.query).toEqual({ sentIn: 'cn' })
  await user.click(screen.getByRole('button', { name: t('console.list.filters.set', { count: 1 }) }))
  const countries = screen.getByRole('combobox', { name: t('consoleAmbassadors.country') })
  expect(
    within(countries)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([t('console.list.any'), 'Norway', 'utopia'])
  await user.selectOptions(countries, 'Norway')
  await waitFor(() =>
    expect(callsOf(readApplicationBoard).at(-1)!.query).toEqual({ sentIn: 'cn', country: 'NO' }),
  )
})

test("a board that can't be loaded says why, with a retry", async () => {
  await inWindow(true)
  unreachable(readApplicationBoard)
  const { user } = await showPage('/console/ambassadors')
  expect(await screen.findByText(t('console.list.failed'))).toBeVisible()
  answering(readApplicationBoard, boardOf([application(1)]))
  await user.click(screen.getByRole('button', { name: t('forms.retry') }))
  expect(await screen.findByRole('link', { name: 'Applicant 1' })).toBeVisible()
})

test('a narrow window shows the list, with the filter that the home page linked to', async () => {
  await inWindow(false)
  answeringPage(listAmbassadorApplications, [application(1)])
  await showPage('/console/ambassadors?status=open')
  await screen.findByRole('link', { name: 'Applicant 1' })
  expect(callsOf(listAmbassadorApplications)[0]!.query).toMatchObject({ status: 'open' })
  const filter = `${t('consoleAmbassadors.state')}: ${t('consoleAmbassadors.state.open')}`
  expect(screen.getByRole('button', { name: t('console.list.remove', { filter }) })).toBeVisible()
})

const outcome = (id: string, code: 'conflict' | null = null) => ({
  id,
  isDone: code === null,
  code,
  reason: '',
  field: null,
  basis: null,
})

test('several are declined with one reason, after the time to undo it; failures are listed by name', async () => {
  await inWindow(true)
  answeringPage(listAmbassadorApplications, [application(1), application(2)])
  answering(declineAmbassadorApplications, { rows: [outcome('a1'), outcome('a2')] })
  const { user } = await showPage('/console/ambassadors/applications')
  await user.click(await screen.findByRole('checkbox', { name: t('console.list.selectAll') }))
  await user.click(screen.getByRole('button', { name: t('consoleAmbassadors.bulk.decline') }))
  const dialog = within(screen.getByRole('dialog'))
  await dialog.findByText(t('console.list.bulk.will', { count: 2 }))
  const decline = dialog.getByRole('button', { name: `${t('consoleAmbassadors.bulk.decline.confirm')} (2)` })
  await user.click(decline)
  const reason = dialog.getByRole('textbox')
  expect(reason).toHaveAccessibleDescription(new RegExp(t('field.required')))
  await user.type(reason, 'Enough of us there.')
  await user.click(dialog.getByRole('checkbox', { name: t('consoleAmbassadors.reason.tell') }))
  await user.click(decline)
  const sent = () => callsOf(declineAmbassadorApplications).filter(({ body }) => !body.isPreview)
  await screen.findByRole('button', { name: t('console.undo') })
  expect(sent()).toEqual([])
  answering(declineAmbassadorApplications, { rows: [outcome('a1'), outcome('a2', 'conflict')] })
  await endUndoTime()
  await screen.findByText(t('console.list.bulk.done', { count: 1, all: 2 }))
  const finished = within(screen.getByRole('dialog'))
  expect(finished.getByRole('list')).toHaveTextContent(/Applicant 2/)
  expect(finished.getByRole('list')).not.toHaveTextContent(/Applicant 1/)
  expect(sent()[0]!.body).toEqual({
    isPreview: false,
    rows: [
      { id: 'a1', version: '2036-05-01T10:00:00.001Z' },
      { id: 'a2', version: '2036-05-01T10:00:00.002Z' },
    ],
    reason: 'Enough of us there.',
    isReasonTold: true,
  })
  const lists = callsOf(listAmbassadorApplications).length
  await user.click(finished.getByRole('button', { name: t('console.list.bulk.close') }))
  await waitFor(() => expect(callsOf(listAmbassadorApplications).length).toBe(lists + 1))
})

test('readers get no bulk actions', async () => {
  await inWindow(true, 1)
  answeringPage(listAmbassadorApplications, [application(1)])
  await showPage('/console/ambassadors/applications')
  await screen.findByRole('link', { name: 'Applicant 1' })
  expect(screen.queryByRole('checkbox', { name: t('console.list.selectAll') })).toBeNull()
})
