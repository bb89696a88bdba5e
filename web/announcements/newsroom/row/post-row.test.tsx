import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import forms from '#content/messages/en/forms.json'
import news from '#content/messages/en/news.json'
import newsroom from '#content/messages/en/newsroom.json'
import type { NewsroomPost } from '#contract/newsroom.ts'
import { WordsProvider } from '../../../i18n/words.tsx'
import { besideChanged } from '../use-newsroom-posts.ts'
import { PostRow } from './post-row.tsx'

const post = (fields: Partial<NewsroomPost> = {}): NewsroomPost => ({
  _id: 'p',
  slug: 'a-title',
  title: 'A title',
  category: 'Events',
  language: 'en',
  postedDate: '2026-11-20T10:00:00.000Z',
  lastEdited: null,
  createdBy: { _id: 'm', displayName: 'Sample' },
  state: 'published',
  publishAt: null,
  zone: null,
  deletedAt: null,
  goneAt: null,
  editedBy: { id: 'n', name: 'Second' },
  changedAt: '2026-11-20T11:00:00.000Z',
  sibling: null,
  version: 1,
  ...fields,
})

const show = (shown: NewsroomPost, mayWrite = true) =>
  renderToStaticMarkup(
    <WordsProvider
      value={{ language: 'en', messages: { ...forms, ...news, ...newsroom }, setLanguage: async () => {} }}
    >
      <ul>
        <PostRow post={shown} mayWrite={mayWrite} onChanged={() => {}} onGone={() => {}} />
      </ul>
    </WordsProvider>,
  )

test('a row says what the post is, where it stands and who changed it', () => {
  const html = show(post())
  for (const said of [
    'A title',
    'Second',
    newsroom['newsroom.state.published'],
    newsroom['newsroom.row.noChinese'],
  ])
    expect(html).toContain(said)
})

test.each([
  ['draft', 'newsroom.action.publish', 'newsroom.action.view'],
  ['scheduled', 'newsroom.action.unschedule', 'newsroom.action.unpublish'],
  ['published', 'newsroom.action.unpublish', 'newsroom.action.publish'],
  ['deleted', 'newsroom.action.restore', 'newsroom.action.preview'],
] as const)('a post that is %s offers %s and not %s', (state, offered, other) => {
  const html = show(post({ state }))
  expect(html).toContain(`>${newsroom[offered]}<`)
  expect(html).not.toContain(`>${newsroom[other]}<`)
})

test('who may only read is offered nothing that changes', () => {
  const html = show(post({ state: 'draft' }), false)
  expect(html).not.toContain('<button')
  expect(html).not.toContain('?edit=')
  expect(html).toContain('?versions=')
})

test('a scheduled post comes out at the time of the zone that was chosen', () => {
  const html = show(
    post({ state: 'scheduled', publishAt: '2027-01-15T01:30:00.000Z', zone: 'Asia/Shanghai' }),
  )
  expect(html).toMatch(/9:30\sAM/)
  expect(html).toContain('Asia/Shanghai')
})

test('a post with its translation is not offered for translating', () => {
  const sibling = { _id: 's', language: 'cn', title: '标题', state: 'draft' } as const
  const html = show(post({ sibling }))
  expect(html).not.toContain('?translate=')
  expect(html).not.toContain(`>${newsroom['newsroom.action.link']}<`)
  expect(html).toContain(`>${newsroom['newsroom.action.unlink']}<`)
  expect(html).toContain('标题')
  expect(html).toContain('?edit=s')
})

test('a post without its translation is offered for linking as well', () => {
  const html = show(post())
  expect(html).toContain('?translate=')
  expect(html).toContain(`>${newsroom['newsroom.action.link']}<`)
  expect(html).not.toContain(`>${newsroom['newsroom.action.unlink']}<`)
})

test('a row is true of its sibling after that one has changed', () => {
  const cn = post({ _id: 'cn', language: 'cn', title: '标题', state: 'draft' })
  const asSibling = ({ _id, language, title, state }: NewsroomPost) => ({ _id, language, title, state })
  const linked = post({ sibling: asSibling(cn) })
  expect(besideChanged(cn, linked).sibling).toEqual(asSibling(linked))
  expect(besideChanged({ ...cn, sibling: asSibling(linked) }, post()).sibling).toBeNull()
  expect(besideChanged(linked, linked)).toBe(linked)
  const bystander = post({ _id: 'other' })
  expect(besideChanged(bystander, linked)).toBe(bystander)
})

test('the trash says how long a post is still there', () => {
  const goneAt = new Date(Date.now() + 3.5 * 86_400_000).toISOString()
  expect(show(post({ state: 'deleted', goneAt }))).toContain(
    newsroom['newsroom.row.goes'].replace('{days}', '4'),
  )
})
