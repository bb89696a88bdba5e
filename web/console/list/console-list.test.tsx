// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  deleteConsoleView,
  listConsoleViews,
  renameConsoleView,
  saveConsoleView,
} from '#contract/console/console-views.ts'
import { sendMailsAgain, stopMails } from '#contract/platform/console-mails.ts'
import { exportRecord, listRecord, type RecordEntry } from '#contract/console/console-audit-log.ts'
import { answering, answeringPage, callsOf, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { aView } from '#tests/setup/a-saved-view.ts'
import { endUndoTime, show, showPage, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { followDropdowns } from '../../kernel/ui/follow-dropdowns.ts'
import type { BulkDialogProps } from './list-spec.ts'
import { ListTimeInUtc } from './list-time.tsx'

// Every console list has its own page; this one is rendered at the home address.
vi.mock('../home/console-home-page.tsx', async () => {
  const { page } = await import('../../kernel/routes/page.ts')
  const { ConsoleList } = await import('./console-list.tsx')
  const { auditLog } = await import('#contract/console/console-audit-log.ts')
  const { stopMails, sendMailsAgain } = await import('#contract/platform/console-mails.ts')
  const spec = {
    resource: { ...auditLog, declared: { ...auditLog.declared, name: 'test' } },
    route: 'console.home',
    caption: 'console.nav.home',
    nameOf: ({ id }: RecordEntry) => `Entry ${id}`,
    none: { title: 'console.palette.nothing' },
    bulk: [
      { name: 'again', label: 'consoleMails.bulk.again', endpoint: sendMailsAgain },
      {
        name: 'stop',
        label: 'consoleMails.bulk.stop',
        endpoint: stopMails,
        versionOf: ({ at }: RecordEntry) => at,
        isUndoable: true,
      },
      {
        name: 'whole',
        label: 'console.palette.open',
        single: stopMails,
        dialog: ({ rows, onClose }: BulkDialogProps<RecordEntry>) => (
          <button type="button" onClick={() => onClose(rows.length > 1)}>
            {rows.map(({ id }) => id).join(' and ')}
          </button>
        ),
      },
    ],
    columns: [
      {
        name: 'id',
        heading: 'console.nav.label',
        cell: ({ id }: RecordEntry) => <a href={`/x/${id}`}>{id}</a>,
      },
      { name: 'at', heading: 'console.nav.members', sort: 'at', cell: ({ at }: RecordEntry) => at },
      { name: 'seq', heading: 'console.nav.content', isExtra: true, cell: ({ seq }: RecordEntry) => seq },
    ],
    filters: {
      actor: { label: 'console.palette.open', kind: 'search' },
      subject: { label: 'console.nav.label', kind: 'number' },
      what: {
        label: 'console.palette.found',
        kind: 'choice',
        options: [{ value: 'changes', label: 'console.palette.screens' }],
      },
    },
  } as const
  return { default: page({ View: ({ search }) => <ConsoleList spec={spec} search={search} /> }) }
})

const t = wordsOf('en')
const entry = (id: string, seq = 7): RecordEntry => ({
  id,
  at: '2036-05-01T00:00:00.000Z',
  actor: null,
  action: 'member-updated',
  subject: { kind: 'member', id: null, name: '' },
  detail: {},
  changes: [],
  seq,
  hash: '',
})

async function list(path = '/console', ...ids: string[]) {
  await signedIn({ isWriteAccessAdmin: true })
  answeringPage(
    listRecord,
    (ids.length > 0 ? ids : ['e1', 'e2', 'e3']).map((id) => entry(id)),
    'second',
  )
  const shown = await showPage(path)
  await screen.findByRole('table')
  return shown
}
const asked = () => callsOf(listRecord).at(-1)!.query
const address = () => `${location.pathname}${location.search}`
const button = (key: string, values = {}) => screen.getByRole('button', { name: t(key, values) })
const rows = () =>
  within(screen.getByRole('table'))
    .getAllByRole('link')
    .map(({ textContent }) => textContent)

test('search and filters narrow the list through the address, and clearing shows everything', async () => {
  const { user } = await list()
  await user.type(screen.getByRole('searchbox', { name: t('console.palette.open') }), 'ada')
  await waitFor(() => expect(address()).toBe('/console?actor=ada'))
  await user.click(button('console.list.filters'))
  await user.selectOptions(screen.getByRole('combobox', { name: t('console.palette.found') }), 'changes')
  await waitFor(() => expect(asked()).toEqual({ actor: 'ada', what: 'changes', limit: '25' }))
  expect(address()).toBe('/console?actor=ada&what=changes')
  await user.click(button('console.list.clear'))
  await waitFor(() => expect(address()).toBe('/console'))
  await waitFor(() => expect(asked()).toEqual({ limit: '25' }))
})

test('a set filter is shown with its text, and removing it keeps the others and moves the focus', async () => {
  const { user } = await list('/console?actor=ada&subject=4&what=changes')
  const toggle = () => button('console.list.filters.set', { count: 2 })
  expect(toggle()).toHaveAttribute('aria-expanded', 'false')
  expect(screen.queryByRole('combobox')).toBeNull()
  await user.click(toggle())
  expect(toggle()).toHaveAttribute('aria-expanded', 'true')
  expect(screen.getByRole('combobox', { name: t('console.palette.found') })).toHaveValue('changes')

  const chip = button('console.list.remove', {
    filter: `${t('console.palette.found')}: ${t('console.palette.screens')}`,
  })
  expect(chip).toHaveTextContent(`${t('console.palette.found')}: ${t('console.palette.screens')}`)
  await user.click(chip)
  await waitFor(() => expect(address()).toBe('/console?actor=ada&subject=4'))
  expect(button('console.list.filters.set', { count: 1 })).toHaveFocus()
  await user.click(button('console.list.clear'))
  await waitFor(() => expect(address()).toBe('/console'))
  expect(button('console.list.filters')).toHaveFocus()
})

test('a number filter reads a decimal comma as the decimal point', async () => {
  const { user } = await list()
  await user.click(button('console.list.filters'))
  await user.type(screen.getByRole('textbox', { name: t('console.nav.label') }), '0,05')
  await waitFor(() => expect(address()).toBe('/console?subject=0.05'))
})

test('a heading sorts the list, and on a second click reverses the order', async () => {
  const { user } = await list()
  const heading = () => screen.getByRole('columnheader', { name: /Members/ })
  expect(heading()).toHaveAttribute('aria-sort', 'descending')
  await user.click(within(heading()).getByRole('button'))
  await waitFor(() => expect(heading()).toHaveAttribute('aria-sort', 'ascending'))
  await waitFor(() => expect(asked()).toMatchObject({ sort: 'at' }))
  await user.click(within(heading()).getByRole('button'))
  await waitFor(() => expect(address()).toBe('/console'))
})

test('a time is short, and has the year only if it is another one', async () => {
  const year = new Date().getFullYear()
  const { speakIn } = show(
    <>
      <ListTimeInUtc at={`${year}-11-02T09:05:00.000Z`} />
      <ListTimeInUtc at={`${year - 1}-11-02T23:05:00.000Z`} />
    </>,
  )
  expect(screen.getByText('Nov 2, 09:05:00')).toHaveAttribute('title', `${year}-11-02T09:05:00.000Z`)
  expect(screen.getByText(`Nov 2, ${year - 1}, 23:05:00`)).toBeVisible()
  speakIn('cn')
  expect(screen.getByText('11-02 09:05:00')).toBeVisible()
  expect(screen.getByText(`${year - 1}-11-02 23:05:00`)).toBeVisible()
})

test('the time zone is named once, below the rows', async () => {
  await list()
  expect(screen.getAllByText(/^Times: UTC/)).toHaveLength(1)
})

test('pages go forward and back; a page opened by its address leads back to the first', async () => {
  const { user } = await list()
  expect(button('console.list.previous')).toBeDisabled()
  answeringPage(listRecord, [entry('e4')])
  await user.click(button('console.list.next'))
  await waitFor(() => expect(rows()).toEqual(['e4']))
  expect(address()).toBe('/console?after=second&page=2')
  expect(screen.getByText(t('console.list.shown', { count: 1, page: 2 }))).toBeVisible()
  expect(button('console.list.next')).toBeDisabled()
  answeringPage(listRecord, [entry('e1')], 'second')
  await user.click(button('console.list.previous'))
  await waitFor(() => expect(rows()).toEqual(['e1']))
  expect(address()).toBe('/console')
})

const outcome = (id: string, code: 'mail_delivered' | 'conflict' | null = null) => ({
  id,
  isDone: code === null,
  code,
  reason: code ?? '',
  field: null,
  basis: null,
})
const dialog = () => within(screen.getByRole('dialog', { hidden: true }))
const pressIn = (user: { click: (element: Element) => Promise<void> }, name: string) =>
  user.click(dialog().getByRole('button', { name, hidden: true }))
const selectAll = () => screen.getByRole('checkbox', { name: t('console.list.selectAll') })
const confirmKey = (action: 'again' | 'stop', count: number) =>
  `${t(`consoleMails.bulk.${action}.confirm`)} (${count})`

test('a bulk action previews each row, changes those that can be, and reloads the list', async () => {
  const { user } = await list()
  answering(sendMailsAgain, { rows: [outcome('e1'), outcome('e2', 'mail_delivered'), outcome('e3')] })
  await user.click(selectAll())
  await user.click(button('consoleMails.bulk.again'))
  await dialog().findByText(t('console.list.bulk.wont', { count: 1 }))
  expect(dialog().getByText('mail_delivered')).toBeInTheDocument()
  expect(callsOf(sendMailsAgain)[0]!.body).toEqual({
    isPreview: true,
    rows: [{ id: 'e1' }, { id: 'e2' }, { id: 'e3' }],
  })
  answering(sendMailsAgain, { rows: [outcome('e1'), outcome('e3', 'conflict')] })
  const before = callsOf(listRecord).length
  await pressIn(user, confirmKey('again', 2))
  await dialog().findByText(t('console.list.bulk.done', { count: 1, all: 2 }))
  expect(dialog().getByText(t('console.list.bulk.conflict'))).toBeInTheDocument()
  expect(callsOf(sendMailsAgain).at(-1)!.body).toEqual({
    isPreview: false,
    rows: [{ id: 'e1' }, { id: 'e3' }],
  })
  await pressIn(user, t('console.list.bulk.close'))
  await waitFor(() => expect(callsOf(listRecord).length).toBeGreaterThan(before))
  expect(screen.queryByRole('group', { name: t('console.list.selected', { count: 3 }) })).toBeNull()
})

test('a failed request is repeated with the same key, and what was done is not sent again', async () => {
  const { user } = await list('/console', 'e1')
  answering(sendMailsAgain, { rows: [outcome('e1')] })
  await user.click(selectAll())
  await user.click(button('consoleMails.bulk.again'))
  await dialog().findByText(t('console.list.bulk.will', { count: 1 }))
  unreachable(sendMailsAgain)
  await pressIn(user, confirmKey('again', 1))
  await dialog().findByText(new RegExp(t('console.list.bulk.again')))
  answering(sendMailsAgain, { rows: [outcome('e1')] })
  await pressIn(user, confirmKey('again', 1))
  await screen.findByText(
    t('console.list.bulk.finished', { action: t('consoleMails.bulk.again.confirm'), count: 1, all: 1 }),
  )
  const keys = callsOf(sendMailsAgain).map(({ idempotencyKey }) => idempotencyKey)
  expect(keys.at(-1)).toMatch(/^[0-9a-f]{32}$/)
  expect(keys.at(-1)).toBe(keys.at(-2))
})

const undoText = () => t('console.undo.waiting', { action: t('consoleMails.bulk.stop.confirm'), seconds: 10 })

async function confirmStop() {
  const shown = await list('/console', 'e1')
  answering(stopMails, { rows: [outcome('e1')] })
  await shown.user.click(selectAll())
  await shown.user.click(button('consoleMails.bulk.stop'))
  await dialog().findByText(t('console.list.bulk.will', { count: 1 }))
  await pressIn(shown.user, confirmKey('stop', 1))
  await screen.findByText(undoText())
  return shown
}

const sent = () => callsOf(stopMails).filter(({ body }) => !body.isPreview)

test('an action that can be undone is not sent if it is undone, and its dialog returns', async () => {
  const { user } = await confirmStop()
  expect(sent()).toEqual([])
  await user.click(button('console.undo'))
  expect(screen.queryByText(undoText())).toBeNull()
  expect(dialog().getByRole('button', { name: confirmKey('stop', 1), hidden: true })).toBeEnabled()
  await pressIn(user, t('console.list.bulk.back'))
  expect(sent()).toEqual([])
})

test('an action that can be undone is sent when the page is left', async () => {
  await confirmStop()
  await endUndoTime()
  await waitFor(() =>
    expect(sent().map(({ body }) => body.rows)).toEqual([
      [{ id: 'e1', version: '2036-05-01T00:00:00.000Z' }],
    ]),
  )
  expect(screen.queryByText(undoText())).toBeNull()
})

test('an action that can be undone is sent when another page of the console is opened', async () => {
  await confirmStop()
  cleanup()
  await waitFor(() => expect(sent()).toHaveLength(1))
})

test('an action on all rows at once has a dialog of its own, and reloads the list if rows changed', async () => {
  const { user } = await list()
  await user.click(screen.getByRole('checkbox', { name: /e1/ }))
  await user.click(button('console.palette.open'))
  await user.click(screen.getByRole('button', { name: 'e1' }))
  expect(callsOf(listRecord)).toHaveLength(1)
  await user.click(screen.getByRole('checkbox', { name: /e2/ }))
  await user.click(button('console.palette.open'))
  await user.click(screen.getByRole('button', { name: 'e1 and e2' }))
  await waitFor(() => expect(callsOf(listRecord)).toHaveLength(2))
  expect(screen.queryByRole('button', { name: t('console.palette.open') })).toBeNull()
})

test('all rows that match the filters can be selected, also those on other pages', async () => {
  const { user } = await list()
  await user.click(selectAll())
  answeringPage(listRecord, [entry('e1'), entry('e2'), entry('e3'), entry('e4')])
  await user.click(button('console.list.selectMatching', { max: 500 }))
  expect(await screen.findByText(t('console.list.selectedAll', { count: 4 }))).toBeVisible()
  expect(asked()).toEqual({ limit: '100' })
  await user.click(button('console.list.clearSelection'))
  expect(screen.queryByText(t('console.list.selectedAll', { count: 4 }))).toBeNull()
})

test('the keyboard selects the marked row and clears the selection', async () => {
  const { user } = await list()
  screen.getByRole('link', { name: 'e1' }).focus()
  await user.keyboard(' ')
  await user.keyboard('jx')
  expect(screen.getByRole('group', { name: t('console.list.selected', { count: 2 }) })).toBeVisible()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('group', { name: /Selected/ })).toBeNull()
})

test('only staff who may take an action see it', async () => {
  await signedIn({ manageEmployee: 1, isWriteAccessAdmin: false })
  answeringPage(listRecord, [entry('e1')])
  await showPage('/console')
  await screen.findByRole('table')
  expect(screen.queryByRole('checkbox', { name: t('console.list.selectAll') })).toBeNull()
})

test('a filter without results says so and offers to clear it; an empty list does not', async () => {
  await signedIn({ isWriteAccessAdmin: true })
  answeringPage(listRecord, [])
  const { user } = await showPage('/console?actor=nobody')
  expect(await screen.findByText(t('console.list.nothing'))).toBeVisible()
  await user.click(button('console.list.clear'))
  expect(await screen.findByText(t('console.palette.nothing'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('console.list.clear') })).toBeNull()
})

test("a list that can't be loaded says why, with a retry", async () => {
  await signedIn({ isWriteAccessAdmin: true })
  refusing(listRecord, 'unavailable')
  const { user } = await showPage('/console')
  expect(await screen.findByText(t('console.list.failed'))).toBeVisible()
  answeringPage(listRecord, [entry('e1')])
  await user.click(button('forms.retry'))
  await waitFor(() => expect(rows()).toEqual(['e1']))
})

test('a click in a row opens its link, unless it is on a control or selects text', async () => {
  const { user } = await list()
  const opened = vi.fn<(event: Event) => void>((event) => event.preventDefault())
  const link = screen.getByRole('link', { name: 'e2' })
  link.addEventListener('click', opened)
  const cell = within(link.closest('tr')!).getByText('2036-05-01T00:00:00.000Z')
  await user.click(cell)
  expect(opened).toHaveBeenCalledOnce()
  await user.click(link)
  expect(opened).toHaveBeenCalledTimes(2)

  const box = screen.getByRole('checkbox', { name: t('console.list.select', { name: 'Entry e2' }) })
  await user.click(box)
  expect(box).toBeChecked()
  await user.click(box.closest('td')!)
  expect(box).not.toBeChecked()
  const selection = vi.spyOn(window, 'getSelection').mockReturnValue({ isCollapsed: false } as Selection)
  await user.click(cell)
  selection.mockRestore()
  expect(opened).toHaveBeenCalledTimes(2)
})

test('keys move between rows, select one, and go to the search, except while typing', async () => {
  const { user } = await list()
  const link = (name: string) => screen.getByRole('link', { name })
  await user.keyboard('jj')
  expect(link('e2')).toHaveFocus()
  await user.keyboard('k')
  expect(link('e1')).toHaveFocus()
  await user.keyboard('{ArrowDown}x')
  const box = screen.getByRole('checkbox', { name: t('console.list.select', { name: 'Entry e2' }) })
  expect(box).toBeChecked()
  await user.keyboard('jjj')
  expect(link('e3')).toHaveFocus()
  await user.keyboard('{Control>}k{/Control}')
  expect(link('e3')).toHaveFocus()
  await user.keyboard('/')
  const search = screen.getByRole('searchbox')
  expect(search).toHaveFocus()
  await user.keyboard('jx/')
  expect(search).toHaveValue('jx/')
})

test('the shortcuts are listed, and can be switched off', async () => {
  const { user } = await list()
  await user.click(button('console.keys'))
  const dialog = within(screen.getByRole('dialog', { hidden: true }))
  expect(dialog.getByText(t('console.keys.next'))).toBeInTheDocument()
  await user.click(dialog.getByRole('checkbox', { name: t('console.keys.on'), hidden: true }))
  await user.click(dialog.getByRole('button', { name: t('forms.close'), hidden: true }))
  await user.keyboard('j')
  expect(screen.getByRole('link', { name: 'e1' })).not.toHaveFocus()
  localStorage.removeItem('_reviewKeys')
})

test('the panel with the columns closes on Escape and on a click elsewhere', async () => {
  followDropdowns()
  const { user } = await list()
  const summary = screen.getByText(t('console.list.columns'))
  const panel = summary.closest('details')
  await user.click(summary)
  await user.click(screen.getByRole('checkbox', { name: t('console.nav.content'), hidden: true }))
  expect(panel).toHaveProperty('open', true)
  await user.keyboard('{Escape}')
  expect(panel).toHaveProperty('open', false)
  expect(summary).toHaveFocus()
  await user.click(summary)
  await user.click(screen.getByRole('table'))
  expect(panel).toHaveProperty('open', false)
})

test('columns are chosen through the address; the first one stays', async () => {
  const { user } = await list()
  const choose = (key: string) => user.click(screen.getByRole('checkbox', { name: t(key), hidden: true }))
  await choose('console.nav.content')
  await waitFor(() => expect(address()).toBe(`/console?columns=${encodeURIComponent('id,at,seq')}`))
  expect(screen.getByRole('columnheader', { name: t('console.nav.content') })).toBeVisible()
  await choose('console.nav.members')
  await waitFor(() => expect(address()).toBe(`/console?columns=${encodeURIComponent('id,seq')}`))
  expect(screen.queryByRole('checkbox', { name: t('console.nav.label'), hidden: true })).toBeNull()
})

test("the file has all rows of the same filters, not only the page's", async () => {
  const { user } = await list('/console?actor=ada&after=x&page=2')
  answering(exportRecord, 'a,b')
  URL.createObjectURL = () => 'blob:x'
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await user.click(button('console.list.file'))
  await waitFor(() => expect(callsOf(exportRecord)).toMatchObject([{ query: { actor: 'ada' } }]))
  vi.restoreAllMocks()
})

test('a view is saved under a name, shown as current, renamed, and deleted', async () => {
  const { user } = await list('/console?actor=ada')
  const views = () => within(screen.getByRole('navigation', { name: t('console.views') }))
  const named = (key: string) => screen.getByRole('button', { name: t(key), hidden: true })
  const field = () => screen.getByRole('textbox', { name: t('console.views.name'), hidden: true })
  // Before a view is saved, the navigation of saved views is not shown.
  await screen.findByRole('button', { name: t('console.views.save') })
  expect(screen.queryByRole('navigation', { name: t('console.views') })).toBeNull()

  answering(saveConsoleView, aView({ id: 'v1', name: 'Ada', query: 'actor=ada' }))
  await user.click(named('console.views.save'))
  expect(named('console.views.save.now')).toBeDisabled()
  await user.type(field(), ' Ada {Enter}')
  expect(await views().findByRole('link', { current: true })).toHaveTextContent('Ada')
  expect(callsOf(saveConsoleView)).toMatchObject([
    { body: { list: 'test', name: 'Ada', query: 'actor=ada' } },
  ])
  // The button that opened the dialog is gone, so the view has the focus.
  expect(views().getByRole('link', { current: true })).toHaveFocus()

  answering(renameConsoleView, aView({ id: 'v1', name: 'Countess', query: 'actor=ada' }))
  await user.click(named('console.views.rename'))
  await user.clear(field())
  await user.type(field(), 'Countess{Enter}')
  expect(await views().findByRole('link', { name: 'Countess' })).toBeVisible()

  await user.click(views().getByRole('link', { name: t('console.views.all') }))
  await waitFor(() => expect(address()).toBe('/console'))
  expect(views().getByRole('link', { current: true })).toHaveTextContent(t('console.views.all'))
  await user.click(views().getByRole('link', { name: 'Countess' }))
  await waitFor(() => expect(address()).toBe('/console?actor=ada'))

  answering(deleteConsoleView, { dropped: true })
  await user.click(named('console.views.drop'))
  await user.click(named('console.views.drop.now'))
  await waitFor(() => expect(screen.queryByRole('navigation', { name: t('console.views') })).toBeNull())
  // The filters are kept and can be saved again.
  expect(named('console.views.save')).toHaveFocus()
  expect(address()).toBe('/console?actor=ada')
})

test("view names are unique; saving under an existing name replaces its view; views that can't be loaded leave the list intact", async () => {
  await signedIn({ isWriteAccessAdmin: true })
  answeringPage(listRecord, [entry('e1')])
  refusing(listConsoleViews, 'unavailable')
  const { user } = await showPage('/console?actor=ada')
  expect(await screen.findByText(t('console.views.failed'))).toBeVisible()
  expect(rows()).toEqual(['e1'])
  answering(listConsoleViews, [
    aView({ id: 'v1', name: 'Ada', query: 'actor=ada' }),
    aView({ id: 'v2', name: 'Changes', query: 'what=changes&gone=1' }),
  ])
  await user.click(button('forms.retry'))
  // Parts of an old view that the list no longer supports are omitted.
  expect(await screen.findByRole('link', { name: 'Changes' })).toHaveAttribute(
    'href',
    '/console?what=changes',
  )
  await user.click(button('console.views.rename'))
  const field = screen.getByRole('textbox', { name: t('console.views.name'), hidden: true })
  await user.clear(field)
  await user.type(field, 'Changes')
  expect(screen.getByText(t('console.views.taken'))).toBeInTheDocument()
  expect(screen.getByRole('button', { name: t('console.views.rename.now'), hidden: true })).toBeDisabled()
  await act(() => user.click(screen.getByRole('button', { name: t('forms.cancel'), hidden: true })))
  await user.click(screen.getByRole('link', { name: t('console.views.all') }))
  await waitFor(() => expect(address()).toBe('/console'))
  await user.type(screen.getByRole('searchbox', { name: t('console.palette.open') }), 'bob')
  await user.click(await screen.findByRole('button', { name: t('console.views.save') }))
  await user.type(screen.getByRole('textbox', { name: t('console.views.name'), hidden: true }), 'Ada')
  expect(screen.getByText(t('console.views.save.replaces'))).toBeInTheDocument()
})

test('a page without matches that has more rows to search says so, and continues', async () => {
  const { user } = await list('/console?actor=ada')
  answeringPage(listRecord, [], 'third')
  await user.click(button('console.list.next'))
  expect(await screen.findByText(t('console.list.further'))).toBeVisible()
  expect(screen.queryByText(t('console.list.nothing'))).toBeNull()
  answering(listRecord, [entry('e9')])
  await user.click(button('console.list.further.go'))
  await screen.findByRole('table')
  expect(asked()).toEqual({ actor: 'ada', after: 'third', limit: '25' })
  expect(screen.queryByText(t('console.list.further.some'), { exact: false })).toBeNull()
})
