// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getContentItem } from '#contract/publishing/console-content.ts'
import { listContentVersions, restoreContentVersion } from '#contract/publishing/content-versions.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { newDocument } from './new-document.ts'

const t = wordsOf('en')
const at = '2036-05-06T10:00:00.000Z'
const grace = { id: '0198f0a0-0000-7000-8000-00000000000a', name: 'Grace' }
const texts = { en: { 'home.title': 'Every coin' }, cn: { 'home.title': '每一枚币' } }
const drafted = {
  ...newDocument('messages/home'),
  kind: 'messages' as const,
  version: 4,
  file: texts,
  published: texts,
  value: texts,
}

test('an earlier version can be compared and restored to the draft', async () => {
  const version = {
    id: '5',
    piece: 'messages/home',
    at,
    by: grace,
    confirmedBy: null,
    origin: 'console' as const,
    restoredId: null,
    newVersions: [],
    legal: null,
    changes: [{ path: 'en.home.title', from: 'Any coin', to: 'Every coin' }],
    changeCount: 1,
  }
  await signedIn({ manageNews: 2 })
  answering(listContentVersions, [version, { ...version, id: '4', at: '2036-05-05T10:00:00.000Z' }])
  const { user } = await showPage('/console/content/messages/home/history')
  expect((await screen.findAllByText('Grace')).length).toBe(2)
  await user.click(screen.getByRole('button', { name: t('consoleContent.history.restore') }))
  answering(getContentItem, drafted)
  answering(restoreContentVersion, drafted)
  await user.click(await screen.findByRole('button', { name: t('consoleContent.history.restore.now') }))
  const name = `${t('consoleContent.english')} home.title`
  expect(await screen.findByRole('textbox', { name })).toBeVisible()
  expect(callsOf(restoreContentVersion)).toMatchObject([{ params: { id: '4' }, body: { version: 4 } }])
})
