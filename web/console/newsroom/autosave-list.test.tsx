// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { discardAutosave, listAutosaves, type Autosave } from '#contract/publishing/newsroom.ts'
import { expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { AutosaveList } from './autosave-list.tsx'

const t = wordsOf('en')
const idOf = (n: number) => `0198f0a0-0000-7000-8000-00000000000${n}`
const autosave = (n: number, fields: Partial<Autosave> = {}): Autosave => ({
  id: idOf(n),
  postId: null,
  translationOf: null,
  postTitle: null,
  title: `Text ${n}`,
  category: '',
  language: 'en',
  basedOn: null,
  savedAt: '2026-11-20T11:00:00.000Z',
  ...fields,
})

async function open(...list: Autosave[]) {
  await signedIn({ manageNews: 2 })
  answering(listAutosaves, list)
  const shown = show(<AutosaveList />)
  await screen.findByRole('table', { name: t('newsroom.tab.unfinished') })
  return shown
}
const link = (title: string) => screen.getByRole('link', { name: title })
const row = (title: string) => within(link(title).closest('tr')!)
async function discard({ user }: Awaited<ReturnType<typeof open>>, title: string): Promise<void> {
  await user.click(row(title).getByRole('button', { name: t('console.list.actionsFor', { name: title }) }))
  await user.click(screen.getByRole('menuitem', { name: t('newsroom.unfinished.discard.ask') }))
}
const dialog = () => within(screen.getByRole('dialog', { name: t('newsroom.unfinished.discard.title') }))
const confirm = () => dialog().getByRole('button', { name: t('newsroom.unfinished.discard') })

test('each text names its post and links to the form that resumes it', async () => {
  await open(
    autosave(1),
    autosave(2, { postId: 'p2', postTitle: 'Old title' }),
    autosave(3, { translationOf: 'p3', postTitle: 'Original', title: '  ', language: 'cn' }),
  )
  const expected = [
    ['Text 1', t('newsroom.unfinished.isNew'), idOf(1)],
    ['Text 2', t('newsroom.unfinished.changes', { title: 'Old title' }), 'edit=p2'],
    [t('newsroom.untitled'), t('newsroom.unfinished.translates', { title: 'Original' }), 'translate=p3'],
  ] as const
  for (const [title, about, address] of expected) {
    expect(row(title).getByText(about)).toBeVisible()
    expect(link(title).getAttribute('href')).toContain(address)
  }
  expect(link(t('newsroom.untitled'))).not.toHaveAttribute('lang')
})

test('a text is discarded after confirmation, and the others stay', async () => {
  answering(discardAutosave, { dropped: true })
  const shown = await open(autosave(1), autosave(2))
  const { user } = shown
  await discard(shown, 'Text 1')
  expect(dialog().getByText(t('newsroom.unfinished.discard.text', { title: 'Text 1' }))).toBeVisible()
  await user.click(dialog().getByRole('button', { name: t('forms.cancel') }))
  expect(callsOf(discardAutosave)).toEqual([])
  await discard(shown, 'Text 1')
  await user.click(confirm())
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Text 1' })).toBeNull())
  expect(callsOf(discardAutosave)).toMatchObject([{ params: { id: idOf(1) } }])
  expect(link('Text 2')).toBeVisible()
})

test('after the last text is discarded, the page says that none is left', async () => {
  answering(discardAutosave, { dropped: true })
  const shown = await open(autosave(1))
  await discard(shown, 'Text 1')
  await shown.user.click(confirm())
  expect(await screen.findByText(t('newsroom.empty.unfinished'))).toBeVisible()
})

test("a text that can't be discarded stays, and the dialog says why", async () => {
  unreachable(discardAutosave)
  const shown = await open(autosave(1))
  await discard(shown, 'Text 1')
  await shown.user.click(confirm())
  await expectAlert(t('errors.offline'))
  expect(confirm()).toBeEnabled()
  expect(link('Text 1')).toBeVisible()
})

test('a list that could not be loaded can be retried', async () => {
  await signedIn({ manageNews: 2 })
  unreachable(listAutosaves)
  const { user } = show(<AutosaveList />)
  expect(await screen.findByText(t('newsroom.unfinished.loadFailed'))).toBeVisible()
  answering(listAutosaves, [autosave(1)])
  await user.click(screen.getByRole('button', { name: t('forms.retry') }))
  expect(await screen.findByRole('link', { name: 'Text 1' })).toBeVisible()
})
