// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { addOrderNote, removeOrderNote } from '#contract/money/console-orders.ts'
import type { StaffNote } from '#contract/people/staff-notes.ts'
import type { Language } from '#contract/platform/languages.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { call } from '../call/call.ts'
import { StaffNotes } from './staff-notes.tsx'

const t = wordsOf('en')
const note: StaffNote = {
  id: 'n1',
  text: 'First line.\nSecond line.',
  at: '2036-05-01T10:00:00.000Z',
  by: 'Clerk',
  isRemovable: true,
}
const params = { id: 'o1' }

async function open(
  notes: readonly StaffNote[],
  { mayAct = true, language = 'en' }: { mayAct?: boolean; language?: Language } = {},
) {
  await signedIn({ manageFinance: 2 })
  const onChanged = vi.fn<(noted: { notes: StaffNote[] }) => void>()
  const shown = show(
    <StaffNotes
      notes={notes}
      draft="order o1"
      help="Who reads it."
      schema={addOrderNote.body.shape.text}
      mayAct={mayAct}
      add={(text) => call(addOrderNote, { params, body: { text } })}
      remove={(noteId) => call(removeOrderNote, { params: { ...params, noteId } })}
      onChanged={onChanged}
    />,
    language,
  )
  return { ...shown, onChanged }
}
const field = () => screen.getByRole('textbox', { name: t('console.notes.label') })
const button = (name: string) => screen.getByRole('button', { name })

test('a note is added, and its field is empty again', async () => {
  answering(addOrderNote, { notes: [note] })
  const { user, onChanged } = await open([])
  expect(screen.getByText(t('console.notes.none'))).toBeVisible()
  await user.click(button(t('console.notes.add')))
  expect(field()).toBeInvalid()
  await user.type(field(), note.text)
  await user.click(button(t('console.notes.add')))
  await waitFor(() => expect(onChanged).toHaveBeenCalledWith({ notes: [note] }))
  expect(callsOf(addOrderNote)).toMatchObject([{ params, body: { text: note.text } }])
  expect(field()).toHaveValue('')
})

test('a note that can’t be added stays in the field, even after a reload', async () => {
  refusing(addOrderNote, 'unavailable')
  const { user } = await open([])
  await user.type(field(), 'Called back.')
  await user.click(button(t('console.notes.add')))
  expect(await screen.findByRole('alert')).toBeVisible()
  expect(field()).toHaveValue('Called back.')
  cleanup()
  await open([])
  expect(field()).toHaveValue('Called back.')
})

test('a note is deleted only after confirmation, and a failure is shown there', async () => {
  refusing(removeOrderNote, 'unavailable')
  const { user, onChanged } = await open([note])
  const remove = screen.getByRole('button', { name: /^Delete the note from/ })
  await user.click(remove)
  const dialog = within(screen.getByRole('dialog', { name: t('console.notes.remove.title') }))
  expect(dialog.getByText(/First line\.\s+Second line\./)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: t('forms.cancel') }))
  expect(callsOf(removeOrderNote)).toEqual([])
  await user.click(remove)
  const confirm = () =>
    user.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: t('console.notes.remove.label') }),
    )
  await confirm()
  expect(await within(screen.getByRole('dialog')).findByRole('alert')).toBeVisible()
  answering(removeOrderNote, { notes: [] })
  await confirm()
  await waitFor(() => expect(onChanged).toHaveBeenCalledWith({ notes: [] }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('staff who can’t act see the notes only, in both languages', async () => {
  await open([note], { mayAct: false, language: 'cn' })
  expect(screen.getByText(/First line/)).toBeVisible()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  await open([], { mayAct: false, language: 'cn' })
  expect(screen.getByText(wordsOf('cn')('console.notes.none'))).toBeVisible()
})
