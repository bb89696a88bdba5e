// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listFourEyes } from '#contract/people/four-eyes.ts'
import {
  cancelContentRelease,
  confirmContentRelease,
  getContentItem,
  listContentItems,
  listContentReleases,
  publishContent,
  saveContentDraft,
  type ContentItemDetail,
  type ContentRelease,
} from '#contract/publishing/console-content.ts'
import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import { findContent } from '#contract/publishing/content-shapes.ts'
import { aMember, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { newDocument } from './new-document.ts'

beforeEach(() => answering(listFourEyes, []))

const t = wordsOf('en')
const at = '2036-05-06T10:00:00.000Z'
const grace = { id: '0198f0a0-0000-7000-8000-00000000000a', name: 'Grace' }
const texts = {
  en: { 'home.title': 'Every coin', 'home.lead': 'Read <link>it</link>, {name}.' },
  cn: { 'home.title': '每一枚币', 'home.lead': '{name}，<link>请读</link>。' },
}
const piece = (more: Partial<ContentItemDetail> = {}): ContentItemDetail => ({
  ...newDocument('messages/home'),
  kind: 'messages',
  version: 3,
  file: texts,
  published: texts,
  value: texts,
  ...more,
})
const problem: ContentProblem = {
  file: 'messages/cn/home.json',
  place: 'home.title',
  code: 'not_chinese',
  words: { en: 'contains no Chinese characters', cn: '中文里没有汉字' },
}
const release = (more: Partial<ContentRelease> = {}): ContentRelease => ({
  id: '9',
  state: 'published',
  pieces: ['messages/home'],
  publishAt: null,
  zone: null,
  by: { id: aMember.id, name: 'Wei Chen' },
  at,
  confirmedBy: null,
  newVersions: [],
  sensitive: [],
  changes: [
    { piece: 'messages/home', changes: [{ path: 'en.home.title', from: 'Every coin', to: 'Each coin' }] },
  ],
  changesOfficial: false,
  mayConfirm: false,
  ended: null,
  ...more,
})
const drafted = piece({
  version: 4,
  hasDraft: true,
  value: { ...texts, en: { ...texts.en, 'home.title': 'Each coin' } },
  changes: [{ path: 'en.home.title', from: 'Every coin', to: 'Each coin' }],
})

const open = async (level: 1 | 2 = 2) => {
  await signedIn({ manageNews: level })
  return showPage('/console/content/messages/home')
}
const field = (key: string, language: 'english' | 'chinese' = 'english') =>
  screen.findByRole('textbox', { name: `${t(`consoleContent.${language}`)} ${key}` })
const button = (key: string) => screen.getByRole('button', { name: t(key) })

test('a sentence of the site leads to its text, which is changed, reviewed, and published', async () => {
  await signedIn({ manageNews: 2 })
  answering(listContentItems, [piece()])
  answering(listContentReleases, [])
  answering(findContent, [
    { piece: 'messages/home', place: 'en.home.title', language: 'en', text: 'Every coin' },
  ])
  const overview = await showPage('/console/content')
  await overview.user.type(
    await screen.findByRole('searchbox', { name: t('consoleContent.find') }),
    'every coin',
  )
  answering(getContentItem, piece())
  const link = await screen.findByRole('link', { name: 'Every coin' })
  cleanup()
  const { user } = await showPage(link.getAttribute('href')!)
  const title = await field('home.title')
  await waitFor(() => expect(title).toHaveFocus())
  await user.clear(title)
  await user.type(title, 'Each coin')
  answering(saveContentDraft, drafted)
  await user.click(button('consoleContent.publish'))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole('deletion')).toHaveTextContent('Every')
  answering(publishContent, release())
  answering(
    getContentItem,
    piece({ version: 5, isPublished: true, published: drafted.value, value: drafted.value }),
  )
  await user.click(dialog.getByRole('button', { name: t('consoleContent.publish.now') }))
  expect(await screen.findByText(t('consoleContent.publish.done'))).toBeVisible()
  expect(callsOf(saveContentDraft)).toMatchObject([
    { body: { piece: 'messages/home', version: 3, changes: { 'en.home.title': 'Each coin' } } },
  ])
  expect(callsOf(publishContent)).toMatchObject([
    { body: { pieces: [{ piece: 'messages/home', version: 4 }] } },
  ])
})

test('a draft that breaks a rule is saved but not published, and its problem links to the field', async () => {
  answering(getContentItem, piece())
  const { user } = await open()
  const title = await field('home.title', 'chinese')
  await user.clear(title)
  await user.type(title, 'Coins')
  answering(
    saveContentDraft,
    piece({
      version: 4,
      hasDraft: true,
      problems: 1,
      found: [problem],
      value: { ...texts, cn: { ...texts.cn, 'home.title': 'Coins' } },
    }),
  )
  await user.click(button('consoleContent.save'))
  expect(await screen.findByText(t('consoleContent.saved'))).toBeVisible()
  await waitFor(async () => expect(await field('home.title', 'chinese')).toBeInvalid())
  await user.click(button('consoleContent.publish'))
  expect(screen.queryByRole('dialog')).toBeNull()
  const place = `home.title · ${t('consoleContent.chinese')}`
  await user.click(await screen.findByRole('button', { name: place }))
  expect(await field('home.title', 'chinese')).toHaveFocus()
})

test('placeholders are shown, reported when missing, and inserted by a button', async () => {
  answering(getContentItem, piece())
  const { user } = await open()
  const lead = await field('home.lead')
  await user.clear(lead)
  await user.type(lead, 'Read it.')
  expect(lead).toHaveAccessibleDescription(
    expect.stringContaining(t('consoleContent.words.lacking', { marks: '<link> </link> {name}' })),
  )
  const insert = screen.getAllByRole('button', { name: t('consoleContent.words.insert', { mark: '{name}' }) })
  await user.click(insert[0]!)
  expect(lead).toHaveValue('Read it.{name}')
})

test('input is restored after a reload, and so is text saved elsewhere', async () => {
  answering(getContentItem, piece())
  const { user } = await open()
  await user.type(await field('home.title'), '!')
  cleanup()
  const { user: again } = await showPage('/console/content/messages/home')
  expect(await screen.findByText(t('consoleContent.restored'), { exact: false })).toBeVisible()
  expect(await field('home.title')).toHaveValue('Every coin!')
  await again.click(screen.getByRole('button', { name: t('consoleContent.restored.drop') }))
  expect(await field('home.title')).toHaveValue('Every coin')
})

test('two editors of the same text see both versions; the last to save chooses, and nothing else is asked', async () => {
  answering(getContentItem, piece())
  const { user } = await open()
  await user.type(await field('home.title'), ' of mine')
  await user.type(await field('home.title', 'chinese'), '我')
  const theirs = { place: 'en.home.title', value: 'Every coin of hers', version: 7, by: grace, at }
  refusing(saveContentDraft, 'conflict', { theirs: [theirs] })
  await user.click(button('consoleContent.save'))
  const conflict = within(await screen.findByRole('form', { name: t('consoleContent.clash') }))
  expect(conflict.getByRole('insertion')).toHaveTextContent('mine')
  expect(conflict.getByRole('deletion')).toHaveTextContent('hers')
  expect(conflict.getByText(/Grace/)).toBeVisible()
  await user.click(conflict.getByRole('radio', { name: t('consoleContent.clash.takeTheirs') }))
  answering(saveContentDraft, drafted)
  await user.click(conflict.getByRole('button', { name: t('consoleContent.clash.goOn') }))
  expect(await field('home.title')).toBeVisible()
  expect(callsOf(saveContentDraft).map(({ body }) => body)).toEqual([
    {
      piece: 'messages/home',
      version: 3,
      changes: { 'en.home.title': 'Every coin of mine', 'cn.home.title': '每一枚币我' },
    },
    { piece: 'messages/home', version: 7, changes: { 'cn.home.title': '每一枚币我' } },
  ])
})

test('a refused save loses no input', async () => {
  answering(getContentItem, piece())
  const { user } = await open()
  await user.type(await field('home.title'), '!')
  refusing(saveContentDraft, 'content_waits')
  await user.click(button('consoleContent.save'))
  expect(await screen.findByText('refused: content_waits')).toBeVisible()
  expect(await field('home.title')).toHaveValue('Every coin!')
})

test('a filter shows only missing or only changed texts', async () => {
  answering(
    getContentItem,
    piece({
      value: { en: { ...texts.en, 'home.title': 'Each coin' }, cn: { ...texts.cn, 'home.lead': '' } },
    }),
  )
  const { user } = await open()
  await field('home.title')
  await user.click(screen.getByRole('checkbox', { name: t('consoleContent.words.onlyMissing') }))
  expect(screen.queryByDisplayValue('Each coin')).toBeNull()
  expect(await field('home.lead', 'chinese')).toHaveValue('')
  await user.click(screen.getByRole('checkbox', { name: t('consoleContent.words.onlyMissing') }))
  await user.type(screen.getByRole('searchbox', { name: t('consoleContent.words.search') }), 'each')
  await waitFor(() => expect(screen.queryByText('home.lead', { selector: 'p' })).toBeNull())
  expect(screen.getByDisplayValue('Each coin')).toBeVisible()
})

test('a new version of a legal text says that every member will be asked', async () => {
  const legal = { terms: '2026-01-01', privacy: '2026-01-02' }
  answering(getContentItem, { ...drafted, legal, sensitive: ['legal'], twoPersons: ['legal'] })
  const { user } = await open()
  await field('home.title')
  await user.click(button('consoleContent.publish'))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(t('consoleContent.newVersion.text'))).toBeVisible()
  await user.click(
    dialog.getByRole('checkbox', { name: t('consoleContent.newVersion.terms', { version: legal.terms }) }),
  )
  expect(dialog.getByText(t('consoleContent.publish.takesTwo'))).toBeVisible()
  answering(publishContent, release({ state: 'proposed' }))
  await user.click(dialog.getByRole('button', { name: t('consoleContent.publish.propose') }))
  expect(await screen.findByText(t('consoleContent.publish.proposed'))).toBeVisible()
  expect(callsOf(publishContent)[0]!.body).toMatchObject({ newVersions: ['terms'] })
})

test('a proposal is approved by a second person, or declined with a reason', async () => {
  await signedIn({ manageNews: 2 })
  answering(listContentItems, [piece()])
  const proposal = release({ state: 'proposed', by: grace, mayConfirm: true })
  const ended = { at, by: { id: aMember.id, name: 'Wei Chen' }, reason: 'Too much promised', cause: null }
  const declined = [release({ id: '8', state: 'declined', by: grace, ended })]
  // The pending release, and no ended ones.
  answeringInTurn(listContentReleases, [proposal], [], [proposal], declined, [], declined)
  const { user } = await showPage('/console/content')
  await user.click(await screen.findByRole('button', { name: t('consoleContent.release.decline') }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: t('consoleContent.release.decline.now') }))
  expect(dialog.getByText(t('consoleContent.release.reason.missing'))).toBeVisible()
  await user.type(dialog.getByRole('textbox'), 'Too much promised')
  answering(cancelContentRelease, release({ state: 'declined' }))
  await user.click(dialog.getByRole('button', { name: t('consoleContent.release.decline.now') }))
  expect(await screen.findByText(t('consoleContent.release.declined'))).toBeVisible()
  expect(callsOf(cancelContentRelease)).toMatchObject([
    { params: { id: '9' }, body: { reason: 'Too much promised' } },
  ])
  // The proposer can read the reason.
  await user.click(await screen.findByText(t('consoleContent.ended')))
  expect(screen.getByText('Too much promised')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: t('consoleContent.release.confirm') }))
  answering(confirmContentRelease, release())
  await user.click(await screen.findByRole('button', { name: t('consoleContent.release.confirm.now') }))
  expect(await screen.findByText(t('consoleContent.release.confirmed'))).toBeVisible()
  expect(screen.queryByRole('article')).toBeNull()
})

test('readers can neither type nor publish', async () => {
  answering(getContentItem, drafted)
  await open(1)
  expect(await field('home.title')).toHaveAttribute('readonly')
  expect(screen.queryByRole('button', { name: t('consoleContent.publish') })).toBeNull()
  expect(screen.queryByRole('button', { name: t('consoleContent.save') })).toBeNull()
})
