// @vitest-environment happy-dom
import type { Editor } from '@tiptap/core'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { pictureBytesMax, uploadPicture } from '#contract/publishing/announcements.ts'
import { MIB } from '#contract/platform/fields.ts'
import type { ErrorCode } from '#contract/platform/errors.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { FilmPanel, LinkPanel, PicturePanel } from './panels.tsx'

const editor = { getAttributes: () => ({}) } as unknown as Editor
const close = () => {}
const aFile = (name: string, size = 10) => {
  const file = new File(['x'.repeat(10)], name, { type: 'image/png' })
  Object.defineProperty(file, 'size', { value: size })
  return file
}

test.each(['en', 'cn'] as const)('a problem with a picture is shown next to it: %s', async (language) => {
  const t = wordsOf(language)
  const { user } = show(<PicturePanel editor={editor} file={null} onClose={close} />, language)
  const file = () => screen.getByLabelText<HTMLInputElement>(t('editor.picture.file'))
  const alt = () => screen.getByLabelText(t('editor.picture.alt'))
  const insert = () => user.click(screen.getByRole('button', { name: t('editor.insert') }))
  await insert()
  expect(file()).toHaveAccessibleDescription(t('editor.picture.choose'))
  expect(alt()).toHaveAccessibleDescription(expect.stringContaining(t('editor.picture.altNeeded')))
  await user.type(alt(), 'A chart')
  expect(alt()).not.toHaveAttribute('aria-invalid')
  expect(file()).toHaveAttribute('aria-invalid', 'true')
  fireEvent.change(file(), { target: { files: [aFile('big.png', pictureBytesMax + 1)] } })
  expect(file()).not.toHaveAttribute('aria-invalid')
  await insert()
  expect(file()).toHaveAccessibleDescription(t('editor.picture.tooLarge', { size: pictureBytesMax / MIB }))
  expect(callsOf(uploadPicture)).toEqual([])
})

test.each<[ErrorCode, object, string]>([
  [
    'validation_failed',
    { errors: [{ path: 'picture', code: 'picture', message: 'No picture.' }] },
    'No picture.',
  ],
  ['payload_too_large', {}, wordsOf('en')('editor.picture.tooLarge', { size: pictureBytesMax / MIB })],
])('a file that the server refuses with %s is marked', async (code, details, said) => {
  const t = wordsOf('en')
  await signedIn({ manageNews: 2 })
  refusing(uploadPicture, code, details)
  const { user } = show(<PicturePanel editor={editor} file={null} onClose={close} />)
  const file = screen.getByLabelText<HTMLInputElement>(t('editor.picture.file'))
  await user.upload(file, aFile('words.png'))
  await user.type(screen.getByLabelText(t('editor.picture.alt')), 'A chart')
  await user.click(screen.getByRole('button', { name: t('editor.insert') }))
  await waitFor(() => expect(file).toHaveAccessibleDescription(said))
  expect(screen.getByRole('alert')).toBeEmptyDOMElement()
})

test.each([
  ['a link', LinkPanel, 'editor.apply', 'editor.link.wrong'],
  ['a film', FilmPanel, 'editor.insert', 'editor.film.wrong'],
] as const)(
  'the error about the address of %s disappears when it is changed',
  async (_, Panel, apply, wrong) => {
    const t = wordsOf('en')
    const { user } = show(<Panel editor={editor} onClose={close} />)
    const address = screen.getByLabelText(t('editor.address'))
    await user.type(address, 'no address')
    await user.click(screen.getByRole('button', { name: t(apply) }))
    expect(address).toHaveAccessibleDescription(expect.stringContaining(t(wrong)))
    await user.type(address, '!')
    expect(address).not.toHaveAttribute('aria-invalid')
  },
)
