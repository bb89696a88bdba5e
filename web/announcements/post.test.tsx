// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { presentedPlainly } from '#tests/setup/presented-plainly.ts'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { canPublish } from './can-publish.ts'
import { Post } from './post.tsx'

const t = wordsOf('en')
const button = (key: string) => screen.queryByRole('button', { name: t(key) })

const post = (fields: Partial<Announcement> = {}): Announcement => ({
  _id: 'p',
  slug: 'a-title',
  title: 'A title',
  category: 'Events',
  language: 'cn',
  content: '<p>All of it</p>',
  contentSummary: '<p>All of it</p>',
  postedDate: '2026-11-20T23:30:00.000Z',
  lastEdited: null,
  createdBy: { _id: 'm', displayName: 'Sample' },
  ...presentedPlainly,
  ...fields,
})

const showPost = (shown: Announcement, mayPublish = false) =>
  show(
    <Post
      post={shown}
      mayPublish={mayPublish}
      onSaved={() => {}}
      onDeleted={() => {}}
      onRestored={() => {}}
    />,
  )

test('a post shows its title, date, and category in its own language', () => {
  showPost(post())
  expect(screen.getByRole('heading', { name: 'A title' })).toHaveAttribute('lang', 'zh-Hans')
  expect(screen.getByRole('article', { name: 'A title' })).toBeVisible()
  expect(screen.getByText('November 20, 2026')).toBeVisible()
  expect(screen.getByText(t('news.category.events'))).toBeVisible()
  expect(screen.getByText('All of it').closest('[lang]')).toHaveAttribute('lang', 'zh-Hans')
})

test('Read More appears only if the content is longer than the summary', () => {
  showPost(post())
  expect(button('news.readMore')).toBeNull()
})

test('Read More expands and collapses a post', async () => {
  const { user } = showPost(post({ contentSummary: '<p>All</p>' }))
  expect(button('news.readMore')).toHaveAttribute('aria-expanded', 'false')
  expect(button('news.readMore')).toHaveAccessibleDescription('A title')
  expect(screen.queryByText('All of it')).toBeNull()
  await user.click(button('news.readMore')!)
  expect(screen.getByText('All of it')).toBeVisible()
  expect(button('news.collapse')).toHaveAttribute('aria-expanded', 'true')
  await user.click(button('news.collapse')!)
  expect(screen.queryByText('All of it')).toBeNull()
})

test('Edit and Delete are hidden from readers', () => {
  showPost(post())
  expect(screen.queryByRole('button')).toBeNull()
})

test('an editor is offered Edit and Delete', () => {
  showPost(post(), true)
  for (const key of ['news.edit', 'news.delete']) {
    expect(button(key)).toBeVisible()
    expect(button(key)).toHaveAccessibleDescription('A title')
  }
})

test('administrators and members with news 2 can publish', () => {
  expect(canPublish(null)).toBe(false)
  expect(canPublish({ isWriteAccessAdmin: false, manageNews: 1 })).toBe(false)
  expect(canPublish({ isWriteAccessAdmin: false, manageNews: 2 })).toBe(true)
  expect(canPublish({ isWriteAccessAdmin: true, manageNews: 0 })).toBe(true)
})

test('members with news 1 can read the newsroom', () => {})

test('a card has a picture that links to the post, the reading time, and the author, if named', () => {
  const own = {
    ...presentedPlainly.picture,
    alt: 'A node',
    srcset: '/a.webp 480w',
    origin: 'chosen' as const,
  }
  showPost(
    post({ language: 'en', readingMinutes: 4, picture: own, byline: { slug: 'ada-012345', name: 'Ada' } }),
  )
  const picture = screen.getByRole('link', { name: 'A node' })
  expect(picture).toHaveAttribute('href', '/news/a-title')
  expect(screen.getByRole('img', { name: 'A node' })).toHaveAttribute('loading', 'lazy')
  expect(screen.getByRole('link', { name: 'Ada' })).toHaveAttribute('href', '/news/author/ada-012345')
  expect(screen.getByText(t('news.readingTime', { minutes: 4 }))).toBeVisible()
})

test('hides drawings from screen readers, and shows a picture from the text only once', () => {
  showPost(post())
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.getAllByRole('link')).toHaveLength(1)
  cleanup()
  const src = '/assets/media/news/0123456789abcdef0123456789abcdef-480.webp'
  const content = `<p>Before</p><p><img src="${src}" alt="A node" width="480" height="320" /></p>`
  const picture = { src, srcset: '', width: 480, height: 320, alt: 'A node', origin: 'text' as const }
  showPost(post({ content, contentSummary: content, picture }))
  expect(screen.getAllByRole('img', { name: 'A node' })).toHaveLength(1)
})
