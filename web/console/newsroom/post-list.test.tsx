// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { deleteAnnouncement } from '#contract/publishing/announcements.ts'
import { listConsoleViews } from '#contract/console/console-views.ts'
import {
  changePostCategories,
  exportNewsroomPosts,
  getNewsroomPost,
  listNewsroomPosts,
  listPostVersions,
  restorePost,
  unpublishPost,
  type NewsroomPost,
} from '#contract/publishing/newsroom.ts'
import { presentedPlainly } from '#tests/setup/presented-plainly.ts'
import { aNewsroomPost } from '#tests/setup/a-newsroom-post.ts'
import { expectAlert, endUndoTime, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { navigate } from '../../kernel/navigation/navigate.ts'

const t = wordsOf('en')

type Given = { search?: string; manageNews?: 1 | 2 }

async function open(posts: NewsroomPost[], { search = '', manageNews = 2 }: Given = {}) {
  await signedIn({ manageNews })
  answering(listConsoleViews, [])
  answering(listNewsroomPosts, posts)
  const shown = await showPage(`/console/newsroom${search}`)
  await screen.findByRole('table')
  return shown
}
const row = (title = 'A title') => screen.getByRole('row', { name: new RegExp(title) })
const menuOf = (name = 'A title') =>
  screen.getByRole('button', { name: t('console.list.actionsFor', { name }) })
const itemNames = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
const item = (key: string) => screen.getByRole('menuitem', { name: t(key) })
const button = (key: string, values = {}) => screen.getByRole('button', { name: t(key, values) })
const dialogButton = (key: string) => within(screen.getByRole('dialog')).getByRole('button', { name: t(key) })

test('a row shows the post, its state, its translation, who changed it, and its reads', async () => {
  const sibling = { _id: 's', language: 'cn' as const, title: '标题', state: 'draft' as const }
  await open([aNewsroomPost({ sibling, reads: { recent: 3, total: 41 } })])
  expect(within(row()).getByRole('link', { name: 'A title' })).toHaveAttribute(
    'href',
    '/console/newsroom?edit=p',
  )
  for (const text of [
    t('newsroom.state.published'),
    t('news.category.events'),
    t('newsroom.state.draft'),
    'Second',
    '41',
  ])
    expect(within(row()).getByText(text)).toBeVisible()
  const translation = within(row()).getByRole('link', { name: t('console.language.cn') })
  expect(translation).toHaveAttribute('href', '/console/newsroom?edit=s')
  expect(translation).toHaveAccessibleDescription('标题')
})

test.each([
  ['draft', 'newsroom.action.publish', 'newsroom.action.view'],
  ['scheduled', 'newsroom.action.unschedule', 'newsroom.action.unpublish'],
  ['published', 'newsroom.action.unpublish', 'newsroom.action.publish'],
  ['deleted', 'newsroom.action.restore', 'newsroom.action.preview'],
] as const)('the menu of a post that is %s offers %s and not %s', async (state, offered, other) => {
  const { user } = await open([aNewsroomPost({ state })])
  await user.click(menuOf())
  expect(itemNames()).toContain(t(offered))
  expect(itemNames()).not.toContain(t(other))
})

test.each([
  [null, 'newsroom.action.translate', 'newsroom.action.link', 'newsroom.action.unlink'],
  [
    { _id: 's', language: 'cn', title: '标题', state: 'draft' },
    'newsroom.action.unlink',
    'newsroom.action.unlink',
    'newsroom.action.translate',
  ],
] as const)('with the translation %o, the menu offers %s', async (sibling, one, two, other) => {
  const { user } = await open([aNewsroomPost({ sibling })])
  await user.click(menuOf())
  for (const offered of [one, two]) expect(itemNames()).toContain(t(offered))
  expect(itemNames()).not.toContain(t(other))
})

test('readers get the list without selection and without actions that change anything', async () => {
  const { user } = await open([aNewsroomPost({ state: 'draft' })], { manageNews: 1 })
  expect(screen.queryByRole('checkbox', { name: t('console.list.selectAll') })).toBeNull()
  expect(screen.queryByRole('link', { name: t('newsroom.new') })).toBeNull()
  expect(within(row()).getByRole('link', { name: 'A title' })).toHaveAttribute(
    'href',
    '/console/newsroom?versions=p',
  )
  await user.click(menuOf())
  expect(itemNames()).toEqual([t('newsroom.action.versions')])
})

test('a scheduled post shows its publication time in the chosen time zone', async () => {
  const scheduled = { publishAt: '2027-01-15T01:30:00.000Z', zone: 'Asia/Shanghai' }
  await open([aNewsroomPost({ state: 'scheduled', ...scheduled })])
  expect(row()).toHaveTextContent('09:30 Asia/Shanghai')
})

test('the trash shows when a post will be deleted, and restores it', async () => {
  const goneAt = new Date(Date.now() + 3.5 * 86_400_000).toISOString()
  const deleted = aNewsroomPost({ state: 'deleted', goneAt, deletedAt: '2026-11-20T11:00:00.000Z' })
  answering(restorePost, { ...deleted, state: 'draft' })
  const { user } = await open([deleted], { search: '?show=trash' })
  expect(callsOf(listNewsroomPosts)[0]!.query).toMatchObject({ state: 'deleted' })
  expect(screen.getByRole('link', { name: t('newsroom.tab.trash') })).toHaveAttribute('aria-current', 'page')
  expect(screen.getByText(t('newsroom.row.goes', { days: 4 }))).toBeVisible()
  answering(listNewsroomPosts, [])
  await user.click(menuOf())
  await user.click(item('newsroom.action.restore'))
  expect(await screen.findByText(t('console.list.nothing'))).toBeVisible()
  expect(callsOf(restorePost)).toMatchObject([{ params: { id: 'p' } }])
})

test('an action from the menu is confirmed, and the list is read again', async () => {
  const { user } = await open([aNewsroomPost()])
  answering(unpublishPost, aNewsroomPost({ state: 'draft' }))
  await user.click(menuOf())
  await user.click(item('newsroom.action.unpublish'))
  answering(listNewsroomPosts, [aNewsroomPost({ state: 'draft' })])
  await user.click(dialogButton('newsroom.unpublish.do'))
  expect(callsOf(unpublishPost)).toEqual([])
  await endUndoTime()
  expect(await within(row()).findByText(t('newsroom.state.draft'))).toBeVisible()
  expect(callsOf(unpublishPost)).toMatchObject([{ params: { id: 'p' } }])
})

test('a deleted post leaves the list, and the notice restores it', async () => {
  const { user } = await open([aNewsroomPost(), aNewsroomPost({ _id: 'q', title: 'Another' })])
  answering(deleteAnnouncement, { deleted: true })
  answering(restorePost, aNewsroomPost())
  await user.click(menuOf())
  await user.click(item('newsroom.action.delete'))
  answering(listNewsroomPosts, [aNewsroomPost({ _id: 'q', title: 'Another' })])
  await user.click(dialogButton('news.delete'))
  await waitFor(() => expect(screen.queryByText('A title')).toBeNull())
  answering(listNewsroomPosts, [aNewsroomPost()])
  await user.click(button('news.undo'))
  expect(await screen.findByRole('link', { name: 'A title' })).toBeVisible()
})

test('the category of selected posts is changed with the versions that were listed', async () => {
  const outcome = { isDone: true, code: null, reason: '', field: null, basis: null }
  answering(changePostCategories, {
    rows: [
      { id: 'p', ...outcome },
      { id: 'q', ...outcome },
    ],
  })
  const lastEdited = '2026-11-21T10:00:00.000Z'
  const { user } = await open([aNewsroomPost(), aNewsroomPost({ _id: 'q', title: 'Another', lastEdited })])
  await user.click(screen.getByRole('checkbox', { name: t('console.list.selectAll') }))
  await user.click(button('newsroom.bulk.category'))
  expect(callsOf(changePostCategories)).toEqual([])
  await user.selectOptions(screen.getByRole('combobox', { name: t('newsroom.column.category') }), 'News')
  await user.click(await screen.findByRole('button', { name: /^Change category \(2\)/ }))
  await endUndoTime()
  const rows = [
    { id: 'p', version: '' },
    { id: 'q', version: lastEdited },
  ]
  await waitFor(() =>
    expect(callsOf(changePostCategories).at(-1)!.body).toMatchObject({
      isPreview: false,
      category: 'News',
      rows,
    }),
  )
})

test('the export has the posts of the filters, and reports failures', async () => {
  const { user } = await open([aNewsroomPost()], { search: '?show=without-chinese&q=release' })
  unreachable(exportNewsroomPosts)
  await user.click(button('console.list.file'))
  await expectAlert(t('errors.offline'))
  expect(callsOf(exportNewsroomPosts)).toMatchObject([{ query: { missing: 'cn', q: 'release' } }])
})

test('the language of the posts is filtered without changing the language of the page', async () => {
  const { user } = await open([aNewsroomPost()])
  await user.click(button('console.list.filters'))
  await user.selectOptions(screen.getByRole('combobox', { name: t('newsroom.column.language') }), 'cn')
  await waitFor(() => expect(location.search).toBe('?in=cn'))
  await waitFor(() => expect(callsOf(listNewsroomPosts).at(-1)!.query).toMatchObject({ language: 'cn' }))
})

test('a post links to the ones before and after it in the list, and back to its filters', async () => {
  answering(getNewsroomPost, { ...aNewsroomPost({ _id: 'b' }), ...presentedPlainly, content: '' })
  answering(listPostVersions, [])
  await open(
    ['a', 'b', 'c'].map((id) => aNewsroomPost({ _id: id, title: `Post ${id}` })),
    { search: '?state=draft' },
  )
  await act(() => navigate('/console/newsroom?versions=b'))
  const links = within(await screen.findByRole('navigation', { name: t('console.detail.links') }))
  const expected = [
    ['console.detail.previous', 'versions=a'],
    ['console.detail.next', 'versions=c'],
    ['newsroom.back', 'state=draft'],
  ] as const
  for (const [key, query] of expected)
    expect(links.getByRole('link', { name: t(key) })).toHaveAttribute('href', `/console/newsroom?${query}`)
})
