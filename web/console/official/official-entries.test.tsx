// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  addImpersonator,
  listChannels,
  listOfficialSources,
  updateImpersonator,
  withdrawImpersonator,
  type ListedChannel,
} from '#contract/publishing/console-official.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const entry: ListedChannel = {
  id: 'e1',
  standing: 'false',
  kind: 'domain',
  value: 'airdrop.example',
  note: 'Asks for words.',
  evidence: '',
  addedAt: '2036-05-01T00:00:00.000Z',
  addedBy: null,
  lastUpdated: '2036-05-01T00:00:00.000Z',
  withdrawnAt: null,
}

async function showList(rights: Parameters<typeof signedIn>[0]) {
  await signedIn(rights)
  answering(listChannels, [entry])
  answering(listOfficialSources, [{ kind: 'coin', role: 'receiving', name: 'BTC', value: '' }])
  const shown = await showPage('/console/official')
  await screen.findByRole('table')
  return shown
}
const button = (name: string) => screen.queryByRole('button', { name })

test("readers can't change anything, and no value is a link", async () => {
  const { container } = await showList({ manageEmployee: 1 })
  for (const name of [t('consoleOfficial.addFalse'), t('consoleOfficial.addOfficial')])
    expect(button(name)).toBeNull()
  expect(button(t('consoleOfficial.edit.named', { value: entry.value }))).toBeNull()
  expect(screen.getByText('airdrop.example').closest('a')).toBeNull()
  expect(await screen.findByText(t('consoleOfficial.sources.hidden'))).toBeVisible()
  expect(container.querySelector('a[href*="airdrop"]')).toBeNull()
})

test('an editor adds and withdraws false entries; official ones require another right', async () => {
  const { user } = await showList({ manageNews: 2 })
  expect(button(t('consoleOfficial.addOfficial'))).toBeNull()
  await user.click(button(t('consoleOfficial.addFalse'))!)
  await user.type(screen.getByRole('textbox', { name: t('consoleOfficial.value') }), 'bad.example')
  await user.type(screen.getByRole('textbox', { name: t('consoleOfficial.note') }), 'Pretends')
  answering(addImpersonator, { ...entry, value: 'bad.example' })
  await user.click(button(t('consoleOfficial.save'))!)
  await waitFor(() => expect(callsOf(addImpersonator)).toHaveLength(1))
  expect(callsOf(addImpersonator)[0]!.body).toEqual({
    kind: 'domain',
    value: 'bad.example',
    note: 'Pretends',
    evidence: '',
  })
  expect(await screen.findByText(t('consoleOfficial.saved', { value: 'bad.example' }))).toBeVisible()
  await user.click(
    await screen.findByRole('button', { name: t('consoleOfficial.withdraw.named', { value: entry.value }) }),
  )
  answering(withdrawImpersonator, { ...entry, withdrawnAt: entry.addedAt })
  const dialog = within(screen.getByRole('dialog', { hidden: true }))
  await user.click(dialog.getByRole('button', { name: t('consoleOfficial.withdraw.now'), hidden: true }))
  await waitFor(() => expect(callsOf(withdrawImpersonator)).toHaveLength(1))
})

test('an entry is edited from what it says, and only if nobody changed it since', async () => {
  const { user } = await showList({ manageNews: 2 })
  await user.click(button(t('consoleOfficial.edit.named', { value: entry.value }))!)
  expect(screen.getByRole('heading', { name: t('consoleOfficial.editFalse') })).toBeVisible()
  const note = screen.getByRole('textbox', { name: t('consoleOfficial.note') })
  expect(note).toHaveValue(entry.note)
  await user.type(note, ' Always.')
  answering(updateImpersonator, entry)
  await user.click(button(t('consoleOfficial.save'))!)
  await waitFor(() => expect(callsOf(updateImpersonator)).toHaveLength(1))
  expect(callsOf(updateImpersonator)[0]!.body).toEqual({
    kind: 'domain',
    value: 'airdrop.example',
    note: 'Asks for words. Always.',
    evidence: '',
    lastUpdated: entry.lastUpdated,
  })
})
