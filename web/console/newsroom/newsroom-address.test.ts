import { expect, test } from 'vitest'
import { newsroomAddress, newsroomViewOf, type NewsroomView } from './newsroom-address.ts'

const views: NewsroomView[] = [
  { name: 'list', tab: 'all', q: '' },
  { name: 'list', tab: 'without-chinese', q: '' },
  { name: 'list', tab: 'trash', q: '节点 & more' },
  { name: 'unfinished' },
  { name: 'new' },
  { name: 'new', copy: 'c' },
  { name: 'edit', id: 'a/b' },
  { name: 'versions', id: 'x' },
  { name: 'translate', id: 'x' },
  { name: 'translate', id: 'x', copy: 'c' },
]

test.each(views)('the address of %o leads to it', (view) => {
  const url = new URL(newsroomAddress(view), 'https://coin.example')
  expect(url.pathname).toBe('/console/newsroom')
  expect(newsroomViewOf(url.searchParams)).toEqual(view)
})

test.each(['', 'show=gossip', 'edit=', 'q=%00%0A'])('%j shows all posts', (query) => {
  expect(newsroomViewOf(new URLSearchParams(query))).toEqual({ name: 'list', tab: 'all', q: '' })
})
