// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { uploadPicture, type CardPicture } from '#contract/publishing/announcements.ts'
import { presentedPlainly } from '#tests/setup/presented-plainly.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { answering } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { MoreMessages } from '../../kernel/content/more-messages.tsx'
import { PresentationFields } from './presentation-fields.tsx'
import type { Presentation } from '../autosaves/autosave.ts'

const t = wordsOf('en')
const address = (letter: string) => `/assets/media/news/${letter.repeat(32)}-480.webp`
const chosen: CardPicture = {
  ...presentedPlainly.picture,
  src: address('a'),
  alt: 'Chosen',
  origin: 'chosen',
}

async function open(fields: {
  displayName?: string
  post?: { picture?: CardPicture; byline?: { slug: string; name: string } | null }
  content?: string
  presentation?: Presentation
}) {
  await signedIn({ manageNews: 2, displayName: fields.displayName ?? 'Ada' })
  const onChange = vi.fn<(change: Presentation) => void>()
  const shown = show(
    <MoreMessages namespaces={['newsroom', 'forms']}>
      <PresentationFields
        post={fields.post && { ...presentedPlainly, ...fields.post }}
        content={fields.content ?? ''}
        presentation={fields.presentation ?? {}}
        onChange={onChange}
      />
    </MoreMessages>,
  )
  await screen.findByRole('combobox')
  return { ...shown, onChange }
}
const author = () =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: new RegExp(t('newsroom.byline')) })
const names = () => [...author().options].map(({ text }) => text)

test('names no author by default, and lets editors name only themselves', async () => {
  const { user, onChange } = await open({})
  expect(author()).toHaveValue('none')
  expect(names()).toEqual([t('newsroom.byline.none'), t('newsroom.byline.self', { name: 'Ada' })])
  await user.selectOptions(author(), 'self')
  expect(onChange).toHaveBeenCalledWith({ byline: 'self' })
})

test('lets an editor keep the author, remove them, or replace them with themselves', async () => {
  await open({ post: { byline: { slug: 'grace-012345', name: 'Grace' } } })
  expect(author()).toHaveValue('keep')
  expect(names()).toEqual([t('newsroom.byline.none'), 'Grace', t('newsroom.byline.self', { name: 'Ada' })])
})

test('explains how to set a display name if the editor has none', async () => {
  await open({ displayName: '' })
  expect(names()).toEqual([t('newsroom.byline.none')])
  expect(author()).toHaveAccessibleDescription(t('newsroom.byline.nameless'))
})

test('offers the described pictures in the text and the stored picture for the card', async () => {
  const image = (letter: string, alt: string) => `<img src="${address(letter)}" alt="${alt}">`
  const content = `${image('b', 'Nodes &amp; more')}${image('c', '')}<img src="https://e.example/x.png" alt="No">`
  const { user, onChange } = await open({ post: { picture: chosen }, content })
  const options = screen.getAllByRole('radio').map((radio) => radio.closest('label')!.textContent)
  expect(options).toEqual([t('newsroom.card.automatic'), 'Chosen', 'Nodes & more'])
  expect(screen.getByRole('radio', { name: 'Chosen' })).toBeChecked()
  await user.click(screen.getByRole('radio', { name: 'Nodes & more' }))
  expect(onChange).toHaveBeenLastCalledWith({ card: { src: address('b'), alt: 'Nodes & more' } })
  await user.click(screen.getByRole('radio', { name: t('newsroom.card.automatic') }))
  expect(onChange).toHaveBeenLastCalledWith({ card: null })
})

test('autosaved choices are shown, also for a picture that only the card shows', async () => {
  await open({ presentation: { byline: 'self', card: { src: address('e'), alt: 'Autosaved' } } })
  expect(author()).toHaveValue('self')
  expect(screen.getByRole('radio', { name: 'Autosaved' })).toBeChecked()
})

test('an autosaved choice of oneself is the stored author once the post names the editor', async () => {
  await open({ post: { byline: { slug: 'ada-012345', name: 'Ada' } }, presentation: { byline: 'self' } })
  expect(author()).toHaveValue('keep')
})

test('a picture can be uploaded for the card alone', async () => {
  answering(uploadPicture, { src: address('d'), srcset: '', width: 480, height: 270 })
  const { user, onChange } = await open({})
  await user.click(screen.getByRole('button', { name: t('newsroom.card.upload') }))
  const file = await screen.findByLabelText<HTMLInputElement>(t('editor.picture.file'))
  await user.upload(file, new File(['x'], 'card.png', { type: 'image/png' }))
  await user.type(screen.getByLabelText(t('editor.picture.alt')), 'A card')
  await user.click(screen.getByRole('button', { name: t('newsroom.card.use') }))
  await vi.waitFor(() =>
    expect(onChange).toHaveBeenLastCalledWith({ card: { src: address('d'), alt: 'A card' } }),
  )
  expect(screen.getByRole('radio', { name: 'A card' })).toBeVisible()
})
