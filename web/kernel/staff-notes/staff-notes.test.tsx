// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { addOrderNote, listOrderReaders, removeOrderNote } from '#contract/money/console-orders.ts'
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

const people = [
  { id: 'c1', name: 'Ann' },
  { id: 'c2', name: 'Ann Lee' },
  { id: 'c3', name: '王伟' },
]

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
      colleagues={() => call(listOrderReaders, { params })}
      add={(text, mentions) => call(addOrderNote, { params, body: { text, mentions } })}
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

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)

test('@ offers colleagues, which the keyboard chooses, and the chosen ones are mentioned', async () => {
  answering(listOrderReaders, people)
  answering(addOrderNote, { notes: [note] })
  const { user } = await open([])
  await user.type(field(), 'Please call, @an')
  await waitFor(() => expect(options()).toEqual(['Ann', 'Ann Lee']))
  expect(field()).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { name: 'Ann' }).id)
  expect(screen.getByText(t('console.notes.mention.found', { count: 2 }))).toBeInTheDocument()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(field()).toHaveValue('Please call, @Ann Lee ')
  expect(options()).toEqual([])
  await user.keyboard('and @王')
  await waitFor(() => expect(options()).toEqual(['王伟']))
  await user.click(screen.getByRole('option', { name: '王伟' }))
  expect(field()).toHaveFocus()
  await user.click(button(t('console.notes.add')))
  await waitFor(() => expect(callsOf(addOrderNote)).toHaveLength(1))
  expect(callsOf(addOrderNote)[0]!.body).toEqual({
    text: 'Please call, @Ann Lee and @王伟 ',
    mentions: ['c2', 'c3'],
  })
  expect(callsOf(listOrderReaders)).toHaveLength(1)
})

test('Escape closes the list, and an email address offers no one', async () => {
  answering(listOrderReaders, people)
  const { user } = await open([])
  await user.type(field(), '@a')
  await waitFor(() => expect(options()).toEqual(['Ann', 'Ann Lee']))
  await user.keyboard('{Escape}')
  expect(options()).toEqual([])
  await user.clear(field())
  await user.type(field(), 'x@an')
  expect(options()).toEqual([])
})

test('if the colleagues can’t be loaded, the note with a mention isn’t sent, and stays', async () => {
  refusing(listOrderReaders, 'unavailable')
  const { user } = await open([])
  await user.type(field(), '@Ann please')
  await user.click(button(t('console.notes.add')))
  expect(await screen.findByRole('alert')).toBeVisible()
  expect(callsOf(addOrderNote)).toEqual([])
  expect(field()).toHaveValue('@Ann please')
})
