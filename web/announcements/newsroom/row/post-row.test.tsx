// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { NewsroomPost } from '#contract/publishing/newsroom.ts'
import { aNewsroomPost } from '#tests/setup/a-newsroom-post.ts'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { besideChanged } from '../use-newsroom-posts.ts'
import { PostRow } from '../post-list.tsx'

const t = wordsOf('en')
const button = (key: string) => screen.queryByRole('button', { name: t(key) })
const link = (key: string) => screen.queryByRole('link', { name: t(key) })
/** A link or button with this label. */
const action = (key: string) => button(key) ?? link(key)

function showRow(fields: Partial<NewsroomPost> = {}, mayWrite = true): HTMLElement {
  show(
    <ul>
      <PostRow post={aNewsroomPost(fields)} mayWrite={mayWrite} onChanged={() => {}} onGone={() => {}} />
    </ul>,
  )
  return screen.getByRole('listitem')
}

test('a row shows the post, its state, and who changed it', () => {
  const row = showRow()
  expect(screen.getByRole('heading', { name: 'A title' })).toBeVisible()
  expect(row).toHaveTextContent('Second')
  expect(screen.getByText(t('newsroom.state.published'))).toBeVisible()
  expect(screen.getByText(t('newsroom.row.noChinese'))).toBeVisible()
})

test.each([
  ['draft', 'newsroom.action.publish', 'newsroom.action.view'],
  ['scheduled', 'newsroom.action.unschedule', 'newsroom.action.unpublish'],
  ['published', 'newsroom.action.unpublish', 'newsroom.action.publish'],
  ['deleted', 'newsroom.action.restore', 'newsroom.action.preview'],
] as const)('a post that is %s offers %s and not %s', (state, offered, other) => {
  showRow({ state })
  expect(action(offered)).toBeVisible()
  expect(action(offered)).toHaveAccessibleDescription('A title')
  expect(action(other)).toBeNull()
})

test('readers get no actions that change anything', () => {
  showRow({ state: 'draft' }, false)
  expect(screen.queryByRole('button')).toBeNull()
  const links = screen.getAllByRole('link')
  expect(links).toEqual([link('newsroom.action.versions')])
  expect(links[0]!.getAttribute('href')).toContain('?versions=')
})

test('a scheduled post shows its publication time in the chosen time zone', () => {
  const row = showRow({ state: 'scheduled', publishAt: '2027-01-15T01:30:00.000Z', zone: 'Asia/Shanghai' })
  expect(row).toHaveTextContent(/9:30\sAM/)
  expect(row).toHaveTextContent('Asia/Shanghai')
})

test('a post with its translation is not offered for translation', () => {
  showRow({ sibling: { _id: 's', language: 'cn', title: '标题', state: 'draft' } })
  expect(link('newsroom.action.translate')).toBeNull()
  expect(button('newsroom.action.link')).toBeNull()
  expect(button('newsroom.action.unlink')).toBeVisible()
  expect(screen.getByRole('link', { name: '标题' }).getAttribute('href')).toContain('?edit=s')
})

test('a post without a translation can also be linked', () => {
  showRow()
  expect(link('newsroom.action.translate')!.getAttribute('href')).toContain('?translate=')
  expect(button('newsroom.action.link')).toBeVisible()
  expect(button('newsroom.action.unlink')).toBeNull()
})

test('a row shows changes of its translation', () => {
  const cn = aNewsroomPost({ _id: 'cn', language: 'cn', title: '标题', state: 'draft' })
  const asSibling = ({ _id, language, title, state }: NewsroomPost) => ({ _id, language, title, state })
  const linked = aNewsroomPost({ sibling: asSibling(cn) })
  expect(besideChanged(cn, linked).sibling).toEqual(asSibling(linked))
  expect(besideChanged({ ...cn, sibling: asSibling(linked) }, aNewsroomPost()).sibling).toBeNull()
  expect(besideChanged(linked, linked)).toBe(linked)
  const bystander = aNewsroomPost({ _id: 'other' })
  expect(besideChanged(bystander, linked)).toBe(bystander)
})

test('the trash shows when a post will be deleted', () => {
  const goneAt = new Date(Date.now() + 3.5 * 86_400_000).toISOString()
  showRow({ state: 'deleted', goneAt })
  expect(screen.getByText(t('newsroom.row.goes', { days: 4 }))).toBeVisible()
})
