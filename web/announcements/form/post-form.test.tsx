// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  categories,
  createAnnouncement,
  listCategories,
  updateAnnouncement,
  type Announcement,
} from '#contract/publishing/announcements.ts'
import { getNewsroomPost, listAutosaves, saveAutosave } from '#contract/publishing/newsroom.ts'
import { expectAlert, missing, show, signedIn, type Shown } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { presentedPlainly } from '#tests/setup/presented-plainly.ts'
import { aNewsroomPost } from '#tests/setup/a-newsroom-post.ts'
import { wordsOf } from '#tests/setup/words.ts'
import PostForm from './post-form.tsx'
import type { Saved } from './save-post.ts'

const t = wordsOf('en')
const id = '0198f0a0-0000-7000-8000-000000000003'
const post: Announcement = {
  _id: id,
  slug: 'a-title',
  title: 'A title',
  category: 'Events',
  language: 'en',
  content: '<p>All of it</p>',
  contentSummary: '<p>All of it</p>',
  postedDate: '2026-11-20T10:00:00.000Z',
  lastEdited: null,
  createdBy: { _id: 'm', displayName: 'Sample' },
  ...presentedPlainly,
}
const title = () => screen.getByRole('textbox', { name: t('news.form.title') })
const category = () => screen.getByRole('combobox', { name: t('news.form.category') })
const language = () => screen.getByRole('combobox', { name: t('news.form.language') })
const author = () => screen.getByRole('combobox', { name: new RegExp(t('newsroom.byline')) })
const content = () => screen.getByRole('textbox', { name: t('news.form.content') })
const button = (key: string) => screen.getByRole('button', { name: t(key) })

type Opened = Shown & { onSaved: (saved: Saved) => void }

async function open(edited?: Announcement): Promise<Opened> {
  await signedIn({ manageNews: 2, displayName: 'Ada' })
  answering(listCategories, [...categories])
  answering(listAutosaves, [])
  answering(saveAutosave, { id, savedAt: '2026-11-20T12:00:00.000Z' })
  answering(getNewsroomPost, { ...aNewsroomPost(post), ...presentedPlainly, content: post.content })
  const onSaved = vi.fn<(saved: Saved) => void>()
  const shown = show(<PostForm {...(edited && { post: edited })} onSaved={onSaved} onCancel={() => {}} />)
  await screen.findByRole('textbox', { name: t('news.form.content') })
  // This DOM implementation shows the first option of a select element instead of the given one.
  if (edited) await shown.user.selectOptions(category(), edited.category)
  return { ...shown, onSaved }
}

/** The editor reads clipboard data in the browser's format. */
function paste(html: string): void {
  const getData = (type: string) => (type === 'text/html' ? html : '')
  fireEvent.paste(content(), { clipboardData: { getData, files: [], types: ['text/html'] } })
}

test('title, category, and content are required, and the language is that of the page', async () => {
  answering(createAnnouncement, post)
  const { user, onSaved } = await open()
  const publish = () => button('news.form.publish')
  const labels = ['news.form.title', 'news.form.category', 'news.form.content']
  await waitFor(() => expect(title()).toHaveFocus())
  expect(language()).toHaveDisplayValue('English')
  expect(publish()).toBeDisabled()
  expect(publish()).toHaveAccessibleDescription(missing(t, ...labels))
  expect(button('newsroom.form.draft')).toBeDisabled()
  await user.type(title(), 'A title')
  expect(publish()).toHaveAccessibleDescription(missing(t, ...labels.slice(1)))
  await user.selectOptions(category(), t('news.category.events'))
  expect(publish()).toHaveAccessibleDescription(missing(t, ...labels.slice(2)))
  paste('<p>All of it</p>')
  await waitFor(() => expect(publish()).toBeEnabled())
  await user.selectOptions(language(), 'Chinese')
  await user.click(publish())
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(callsOf(createAnnouncement)).toMatchObject([
    { body: { title: 'A title', category: 'Events', language: 'cn', content: '<p>All of it</p>' } },
  ])
})

test('an emptied title is reported as missing at its field', async () => {
  const { user } = await open(post)
  await user.clear(title())
  await user.tab()
  expect(title()).toHaveAttribute('aria-invalid', 'true')
  expect(button('news.form.save')).toHaveAccessibleDescription(missing(t, 'news.form.title'))
})

test('when the right to publish is lost, an alert says so and the draft is kept', async () => {
  const alert = vi.fn<(words: string) => void>()
  vi.stubGlobal('alert', alert)
  refusing(updateAnnouncement, 'forbidden')
  const { user, onSaved } = await open(post)
  await user.type(title(), ' of mine')
  await user.click(button('news.form.save'))
  await waitFor(() => expect(alert).toHaveBeenCalledOnce())
  expect(alert).toHaveBeenCalledWith('Must be signed in before making an announcement!')
  expect(onSaved).not.toHaveBeenCalled()
  expect(title()).toHaveValue('A title of mine')
  expect(content()).toHaveTextContent('All of it')
  cleanup()
  await open(post)
  expect(title()).toHaveValue('A title of mine')
  expect(screen.getByText(t('news.form.restored'), { exact: false })).toBeVisible()
})

test('a chosen author is autosaved, restored, and saved with the post', async () => {
  const { user } = await open(post)
  await user.selectOptions(author(), 'self')
  await user.click(title())
  await waitFor(() =>
    expect(callsOf(saveAutosave).at(-1)).toMatchObject({ body: { postId: id, byline: 'self' } }),
  )
  cleanup()
  const { user: later, onSaved } = await open(post)
  expect(author()).toHaveValue('self')
  expect(screen.getByText(t('news.form.restored'), { exact: false })).toBeVisible()
  answering(updateAnnouncement, post)
  await later.click(button('news.form.save'))
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(callsOf(updateAnnouncement)).toMatchObject([{ body: { title: 'A title', byline: 'self' } }])
})

test.each([
  ['lost', () => unreachable(updateAnnouncement), t('errors.offline')],
  ['refused', () => refusing(updateAnnouncement, 'rate_limited', { message: 'Later.' }), 'Later.'],
  ['of a post that is gone', () => refusing(updateAnnouncement, 'not_found'), t('newsroom.form.gone')],
])('a save that is %s keeps the text and can be retried', async (_, fail, words) => {
  fail()
  const { user, onSaved } = await open(post)
  await user.type(title(), ' of mine')
  await user.click(button('news.form.save'))
  await expectAlert(words)
  expect(title()).toHaveValue('A title of mine')
  expect(content()).toHaveTextContent('All of it')
  answering(updateAnnouncement, { ...post, title: 'A title of mine' })
  await user.click(button('news.form.save'))
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(callsOf(updateAnnouncement).map(({ body }) => body.title)).toEqual([
    'A title of mine',
    'A title of mine',
  ])
})

test('a problem found by the server is shown at its field', async () => {
  const errors = [{ path: 'title', code: 'invalid' as const, message: 'Not this title.' }]
  refusing(updateAnnouncement, 'validation_failed', { errors })
  const { user } = await open(post)
  await user.type(title(), '!')
  await user.click(button('news.form.save'))
  await waitFor(() => expect(title()).toHaveAccessibleDescription(expect.stringContaining('Not this title.')))
  expect(content()).toHaveTextContent('All of it')
})
