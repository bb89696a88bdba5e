// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { browseAnnouncements } from '#contract/publishing/announcements.ts'
import { readWords } from '#contract/publishing/content.ts'
import { show, showAsServed, showPage } from '#tests/setup/show.tsx'
import { answering, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { NewsFilterBar } from './news-list.tsx'

const t = wordsOf('en')
const search = () => screen.getByRole('searchbox', { name: t('news.search.label') })
const categoryLink = (key: string) =>
  within(screen.getByRole('navigation', { name: t('news.filter.categories') })).getByRole('link', {
    name: t(key),
  })

test('each category is a link that keeps the search, and the current one is marked', () => {
  show(<NewsFilterBar filter={{ category: 'Events', q: 'moon', page: 3 }} />)
  expect(categoryLink('news.category.events')).toHaveAttribute('aria-current', 'true')
  expect(categoryLink('news.filter.all')).not.toHaveAttribute('aria-current')
  expect(categoryLink('news.filter.all')).toHaveAttribute('href', '/news?q=moon')
  expect(categoryLink('news.category.technicalUpdates')).toHaveAttribute(
    'href',
    '/news/category/technical-updates?q=moon',
  )
  expect(search()).toHaveValue('moon')
})

test('before any script has loaded, the search is sent with the shown category', () => {
  showAsServed(<NewsFilterBar filter={{ category: 'Technical Updates', q: 'moon', page: 1 }} />)
  const form = screen.getByRole<HTMLFormElement>('search')
  expect(form.method).toBe('get')
  expect([...new FormData(form)]).toEqual([
    ['category', 'technical-updates'],
    ['q', 'moon'],
  ])
})

test('on the page of a category, the search covers only that category', async () => {
  answering(browseAnnouncements, { posts: [], hasMore: false })
  answering(readWords, { words: {} })
  const { user } = await showPage('/news/category/events')
  expect(categoryLink('news.category.events')).toHaveAttribute('aria-current', 'true')
  await user.type(search(), 'moon')
  await user.click(screen.getByRole('button', { name: t('news.search.submit') }))
  await waitFor(() => expect(location.href).toMatch(/\/news\/category\/events\?q=moon$/))
  expect(callsOf(browseAnnouncements).at(-1)).toMatchObject({ query: { category: 'Events', q: 'moon' } })
})

test('a search has its own address, is trimmed, and keeps the category', async () => {
  answering(browseAnnouncements, { posts: [], hasMore: false })
  const { user } = await showPage('/news?category=events&page=2')
  await user.type(search(), ' moon ')
  await user.click(screen.getByRole('button', { name: t('news.search.submit') }))
  await waitFor(() => expect(location.search).toBe('?category=events&q=moon'))
  expect(callsOf(browseAnnouncements).at(-1)).toMatchObject({ query: { category: 'Events', q: 'moon' } })
})
