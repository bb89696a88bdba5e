import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import forms from '#content/messages/en/forms.json'
import news from '#content/messages/en/news.json'
import type { Announcement } from '#contract/announcements.ts'
import { WordsProvider } from '../i18n/words.tsx'
import { canPublish, canReadNewsroom } from './can-publish.ts'
import { Post } from './post.tsx'

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
  ...fields,
})

const show = (shown: Announcement, mayPublish = false) =>
  renderToStaticMarkup(
    <WordsProvider value={{ language: 'en', messages: { ...forms, ...news }, setLanguage: async () => {} }}>
      <Post
        post={shown}
        mayPublish={mayPublish}
        onSaved={() => {}}
        onDeleted={() => {}}
        onRestored={() => {}}
      />
    </WordsProvider>,
  )

test('a post shows its title, its day and its category in words, in its own language', () => {
  const html = show(post())
  expect(html).toContain('A title')
  expect(html).toContain('November 20, 2026')
  expect(html).toContain(news['news.category.events'])
  expect(html).toContain('lang="zh-Hans"')
})

test('Read More appears only when the content differs in length from the summary', () => {
  expect(show(post())).not.toContain(news['news.readMore'])
  const longer = show(post({ contentSummary: '<p>All</p>' }))
  expect(longer).toContain(news['news.readMore'])
  expect(longer).toContain('aria-expanded="false"')
  expect(longer).not.toContain('All of it')
})

test('Edit and Delete are for editors', () => {
  expect(show(post())).not.toContain(news['news.delete'])
  expect(show(post(), true)).toContain(news['news.edit'])
})

test('administrators and the news level 2 may publish', () => {
  expect(canPublish(null)).toBe(false)
  expect(canPublish({ isWriteAccessAdmin: false, manageNews: 1 })).toBe(false)
  expect(canPublish({ isWriteAccessAdmin: false, manageNews: 2 })).toBe(true)
  expect(canPublish({ isWriteAccessAdmin: true, manageNews: 0 })).toBe(true)
})

test('the newsroom is read from the news level 1 on', () => {
  expect(canReadNewsroom(null)).toBe(false)
  expect(canReadNewsroom({ isWriteAccessAdmin: false, manageNews: 0 })).toBe(false)
  expect(canReadNewsroom({ isWriteAccessAdmin: false, manageNews: 1 })).toBe(true)
  expect(canReadNewsroom({ isWriteAccessAdmin: true, manageNews: 0 })).toBe(true)
})
