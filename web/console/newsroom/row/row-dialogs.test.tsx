// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import {
  endPreview,
  linkTranslations,
  listNewsroomPosts,
  createPreview,
  schedulePost,
  type NewsroomPost,
} from '#contract/publishing/newsroom.ts'
import { aNewsroomPost } from '#tests/setup/a-newsroom-post.ts'
import { expectAlert, show } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import LinkDialog from './link-dialog.tsx'
import PreviewDialog from './preview-dialog.tsx'
import ScheduleDialog from './schedule-dialog.tsx'

const t = wordsOf('en')
const lastEdited = '2026-11-20T11:00:00.000Z'
const year = new Date().getFullYear() + 1
const button = (key: string) => screen.getByRole('button', { name: t(key) })
const time = () => screen.getByLabelText(t('newsroom.schedule.time'))
const zone = () => screen.getByRole('combobox', { name: t('newsroom.schedule.zone') })
const setTime = (value: string) => fireEvent.change(time(), { target: { value } })

/** Renders a dialog that closes when it calls `onClose`. */
function open(dialog: (onClose: () => void, onDone: (changed: NewsroomPost) => void) => ReactElement) {
  const [onClose, onDone] = [vi.fn<() => void>(), vi.fn<(changed: NewsroomPost) => void>()]
  return { ...show(dialog(onClose, onDone)), onClose, onDone }
}

const draft = aNewsroomPost({ state: 'draft', lastEdited })
const openSchedule = (post = draft) =>
  open((onClose, onDone) => <ScheduleDialog post={post} onClose={onClose} onScheduled={onDone} />)

test('a draft is scheduled for the time that its local time and zone mean', async () => {
  const publishAt = `${year}-01-15T01:30:00.000Z`
  const scheduled = { ...draft, state: 'scheduled' as const, publishAt, zone: 'Asia/Shanghai' }
  answering(schedulePost, scheduled)
  const { user, onClose, onDone } = openSchedule()
  expect(screen.getByRole('dialog', { name: t('newsroom.schedule.heading') })).toHaveTextContent('A title')
  await user.selectOptions(zone(), 'Asia/Shanghai')
  setTime(`${year}-01-15T09:30`)
  expect(screen.getByText('UTC', { selector: 'dt' }).nextElementSibling).toHaveTextContent(/1:30\sAM/)
  await user.click(button('newsroom.schedule.submit'))
  await waitFor(() => expect(onDone).toHaveBeenCalledExactlyOnceWith(scheduled))
  expect(onClose).toHaveBeenCalledOnce()
  expect(callsOf(schedulePost)).toMatchObject([
    { params: { id: 'p' }, body: { publishAt, zone: 'Asia/Shanghai', lastEdited } },
  ])
})

test('a scheduled post starts with its own time and zone', () => {
  openSchedule({
    ...draft,
    state: 'scheduled',
    publishAt: `${year}-01-15T01:30:00.000Z`,
    zone: 'Asia/Shanghai',
  })
  expect(screen.getByRole('dialog', { name: t('newsroom.reschedule.heading') })).toBeVisible()
  expect(time()).toHaveValue(`${year}-01-15T09:30`)
  expect(zone()).toHaveValue('Asia/Shanghai')
})

test.each([
  ['missing', '', 'UTC', {}],
  ['past', '2020-01-01T10:00', 'UTC', {}],
  ['tooFar', `${year + 3}-01-01T10:00`, 'UTC', { days: 366 }],
] as const)(
  'a time that is %s is reported at its field, and nothing is sent',
  async (problem, at, where, values) => {
    const { user, onClose } = openSchedule()
    await user.selectOptions(zone(), where)
    setTime(at)
    expect(time()).toHaveAttribute('aria-invalid', 'true')
    expect(time()).toHaveAccessibleDescription(t(`newsroom.schedule.${problem}`, values))
    await user.click(button('newsroom.schedule.submit'))
    expect(callsOf(schedulePost)).toEqual([])
    expect(onClose).not.toHaveBeenCalled()
  },
)

test('a time that occurs twice asks which one, and the second is an hour after the first', async () => {
  // The last Sunday of October, when clocks in Berlin go back.
  const last = new Date(Date.UTC(year, 9, 31))
  last.setUTCDate(31 - last.getUTCDay())
  const day = last.toISOString().slice(0, 10)
  answering(schedulePost, draft)
  const { user } = openSchedule({
    ...draft,
    publishAt: `${year}-01-15T01:30:00.000Z`,
    zone: 'Europe/Berlin',
  })
  setTime(`${day}T02:30`)
  expect(screen.getByRole('group', { name: t('newsroom.schedule.twice') })).toBeVisible()
  expect(screen.getByRole('radio', { name: t('newsroom.schedule.first') })).toBeChecked()
  await user.click(screen.getByRole('radio', { name: t('newsroom.schedule.second') }))
  await user.click(button('newsroom.schedule.submit'))
  await waitFor(() =>
    expect(callsOf(schedulePost).map(({ body }) => body.publishAt)).toEqual([`${day}T01:30:00.000Z`]),
  )
})

test('a time that the server refuses is reported at its field, and the dialog stays open', async () => {
  const errors = [{ path: 'publishAt', code: 'invalid' as const, message: 'That has just passed.' }]
  refusing(schedulePost, 'validation_failed', { errors })
  const { user, onClose } = openSchedule()
  await user.click(button('newsroom.schedule.submit'))
  await waitFor(() => expect(time()).toHaveAccessibleDescription('That has just passed.'))
  expect(onClose).not.toHaveBeenCalled()
})

test('a post that someone else has changed is not scheduled, and the dialog says so', async () => {
  refusing(schedulePost, 'conflict', { message: 'It has changed.' })
  const { user, onClose, onDone } = openSchedule()
  await user.click(button('newsroom.schedule.submit'))
  await expectAlert('It has changed.')
  expect(onClose).not.toHaveBeenCalled()
  expect(onDone).not.toHaveBeenCalled()
})

const other = aNewsroomPost({ _id: '0198f0a0-0000-7000-8000-000000000002', language: 'cn', title: '标题' })
const openLink = (post = aNewsroomPost()) =>
  open((onClose, onDone) => <LinkDialog post={post} onClose={onClose} onLinked={onDone} />)
const choice = () => screen.findByRole('radio', { name: (name) => name.startsWith('标题') })

test('a post is linked with one of the other language that has no translation', async () => {
  answering(listNewsroomPosts, [other])
  const linked = aNewsroomPost({
    sibling: { _id: other._id, language: 'cn', title: '标题', state: 'published' },
  })
  answering(linkTranslations, linked)
  const { user, onClose, onDone } = openLink()
  expect(screen.getByRole('dialog', { name: t('newsroom.link.withChinese') })).toBeVisible()
  await user.click(await choice())
  expect(callsOf(listNewsroomPosts)[0]!.query).toMatchObject({ missing: 'en' })
  const status = screen.getByRole('status')
  expect(status).toHaveTextContent(t('newsroom.link.text', { title: 'A title', other: '标题' }))
  expect(status).toHaveTextContent(t('newsroom.link.signed'))
  await user.click(button('newsroom.link.submit'))
  await waitFor(() => expect(onDone).toHaveBeenCalledExactlyOnceWith(linked))
  expect(onClose).toHaveBeenCalledOnce()
  expect(callsOf(linkTranslations)).toMatchObject([
    { params: { id: 'p' }, body: { translationOf: other._id } },
  ])
})

test('without a choice nothing is linked, and an error says so until one is made', async () => {
  answering(listNewsroomPosts, [other])
  const { user } = openLink()
  await choice()
  await user.click(button('newsroom.link.submit'))
  const choices = screen.getByRole('radiogroup', { name: t('newsroom.link.choices') })
  expect(choices).toHaveAccessibleDescription(t('newsroom.link.missing'))
  expect(callsOf(linkTranslations)).toEqual([])
  await user.click(await choice())
  expect(choices).toHaveAccessibleDescription('')
})

test('a search without results names the search text', async () => {
  answering(listNewsroomPosts, [])
  const { user } = openLink()
  expect(await screen.findByText(t('newsroom.link.nothing'))).toBeVisible()
  await user.type(screen.getByRole('searchbox', { name: t('newsroom.search') }), ' moon {Enter}')
  expect(await screen.findByText(t('newsroom.empty.search', { q: 'moon' }))).toBeVisible()
  expect(callsOf(listNewsroomPosts).at(-1)!.query).toMatchObject({ q: 'moon', missing: 'en' })
})

test('a choice that the server refuses is reported at the choices', async () => {
  answering(listNewsroomPosts, [other])
  const errors = [{ path: 'translationOf', code: 'invalid' as const, message: 'It has one already.' }]
  refusing(linkTranslations, 'validation_failed', { errors })
  const { user, onClose } = openLink()
  await user.click(await choice())
  await user.click(button('newsroom.link.submit'))
  await waitFor(() =>
    expect(screen.getByRole('radiogroup')).toHaveAccessibleDescription('It has one already.'),
  )
  expect(await choice()).toBeChecked()
  expect(onClose).not.toHaveBeenCalled()
})

const openPreview = () => open((onClose) => <PreviewDialog post={aNewsroomPost()} onClose={onClose} />)
const made = { token: 'the-token', expiresAt: '2036-01-01T00:00:00.000Z' }

test('a preview link is created, copied, and revoked', async () => {
  answering(createPreview, made)
  answering(endPreview, { ended: true })
  const { user } = openPreview()
  await user.click(button('newsroom.preview.make'))
  const link = await screen.findByRole('textbox', { name: t('newsroom.preview.link') })
  const address = (link as HTMLInputElement).value
  expect(address).toMatch(/^http.*the-token$/)
  expect(link).toHaveAttribute('readonly')
  expect(link).toHaveAccessibleDescription(expect.stringContaining('2036'))
  expect(screen.getByRole('link', { name: t('newsroom.preview.open') })).toHaveAttribute(
    'href',
    address.slice(location.origin.length),
  )
  await user.click(button('newsroom.preview.copy'))
  expect(await screen.findByText(t('newsroom.preview.copied'))).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(address)
  await user.click(button('newsroom.preview.end'))
  expect(await screen.findByText(t('newsroom.preview.ended'))).toBeVisible()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(callsOf(endPreview)).toMatchObject([{ params: { id: 'p' } }])
})

test('if the browser forbids copying, the link can be copied manually', async () => {
  answering(createPreview, made)
  const { user } = openPreview()
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
  await user.click(button('newsroom.preview.make'))
  await user.click(await screen.findByRole('button', { name: t('newsroom.preview.copy') }))
  expect(await screen.findByText(t('newsroom.preview.copyByHand'))).toBeVisible()
  expect(screen.getByRole('textbox', { name: t('newsroom.preview.link') })).toBeVisible()
})

test('a missing earlier link is not an error', async () => {
  refusing(endPreview, 'not_found')
  const { user } = openPreview()
  await user.click(button('newsroom.preview.endOlder'))
  expect(await screen.findByText(t('newsroom.preview.none'))).toBeVisible()
})

test('a link that could not be created can be retried', async () => {
  unreachable(createPreview)
  const { user } = openPreview()
  await user.click(button('newsroom.preview.make'))
  await expectAlert(t('errors.offline'))
  expect(button('newsroom.preview.make')).toBeEnabled()
})
