// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { uploadContentPicture } from '#contract/publishing/console-content-files.ts'
import {
  getContentItem,
  saveContentDraft,
  type ContentItemDetail,
} from '#contract/publishing/console-content.ts'
import { getContentShape, type ContentShape } from '#contract/publishing/content-shapes.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { newDocument } from '../new-document.ts'

const t = wordsOf('en')
const words: ContentShape = {
  kind: 'object',
  fields: [{ name: 'name', isOptional: false, shape: { kind: 'text' } }],
}
const shape: ContentShape = {
  kind: 'list',
  item: {
    kind: 'object',
    fields: [
      { name: 'id', isOptional: false, shape: { kind: 'id' } },
      { name: 'photo', isOptional: true, shape: { kind: 'photo' } },
      { name: 'special', isOptional: true, shape: { kind: 'mark', value: true } },
      { name: 'profile', isOptional: true, shape: { kind: 'address' } },
      { name: 'en', isOptional: false, shape: words },
      { name: 'cn', isOptional: false, shape: words },
    ],
  },
}
const entry = (id: string, name: string, cn = '名') => ({ id, en: { name }, cn: { name: cn } })
const list = [entry('ada', 'Ada'), entry('bo', 'Bo')]
const piece = (more: Partial<ContentItemDetail> = {}): ContentItemDetail => ({
  ...newDocument('facts/ambassadors.json'),
  kind: 'facts',
  version: 2,
  file: list,
  published: list,
  value: list,
  ...more,
})

const open = async (held = piece()) => {
  await signedIn({ manageNews: 2 })
  answering(getContentItem, held)
  answering(getContentShape, { shape })
  const shown = await showPage('/console/content/facts/ambassadors')
  await screen.findByText('Ada', { selector: 'span' })
  return shown
}
const save = () => screen.getByRole('button', { name: t('consoleContent.save') })
const sent = () => callsOf(saveContentDraft).map(({ body }) => body.changes[''])
const named = (key: string, name: string) => screen.getByRole('button', { name: t(key, { name }) })

test('labelled buttons add, move, and remove entries, and the focus stays with them', async () => {
  const { user } = await open()
  await user.click(named('consoleContent.upNamed', 'Bo'))
  expect(named('consoleContent.downNamed', 'Bo')).toHaveFocus()
  expect(screen.getByText(t('consoleContent.moved', { name: 'Bo', n: 1, max: 2 }))).toBeInTheDocument()
  await user.click(named('consoleContent.removeNamed', 'Ada'))
  expect(screen.getByRole('button', { name: t('consoleContent.addEntry') })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: t('consoleContent.addEntry') }))
  const added = screen.getAllByRole('listitem').at(-1)!
  expect(within(added).getByLabelText(t('consoleContent.field.id'))).toHaveFocus()
  answering(saveContentDraft, piece({ version: 3 }))
  await user.click(save())
  expect(sent()).toEqual([[entry('bo', 'Bo'), entry('new-2', '', '')]])
})

test('optional parts appear and disappear with their input; a picture can be uploaded', async () => {
  const { user } = await open()
  const ada = within(screen.getAllByRole('listitem')[0]!)
  await user.click(ada.getByText('Ada', { selector: 'span' }))
  await user.click(ada.getByLabelText(t('consoleContent.field.special')))
  const profile = ada.getByLabelText(new RegExp(t('consoleContent.field.profile')))
  await user.type(profile, 'https://example.org')
  answering(uploadContentPicture, { photo: 'a.webp', address: '/assets/people/a.webp', width: 2, height: 2 })
  const picture = new File(['x'], 'a.png', { type: 'image/png' })
  await user.upload(ada.getByLabelText(new RegExp(`^${t('consoleContent.field.photo')}`)), picture)
  expect(await ada.findByRole('img', { name: t('consoleContent.photo.alt') })).toBeVisible()
  answering(saveContentDraft, piece({ version: 3 }))
  await user.click(save())
  const [ofAda] = (sent()[0] as unknown[]) ?? []
  expect(ofAda).toEqual({
    ...entry('ada', 'Ada'),
    photo: 'a.webp',
    special: true,
    profile: 'https://example.org',
  })
})

test('an invalid picture is refused at its field', async () => {
  const { user } = await open()
  const field = screen.getAllByLabelText(new RegExp(`^${t('consoleContent.field.photo')}`))[0]!
  refusing(uploadContentPicture, 'validation_failed', {
    errors: [{ path: 'picture', code: 'picture', message: 'No picture' }],
  })
  await user.upload(field, new File(['x'], 'a.png', { type: 'image/png' }))
  expect(await screen.findByText('No picture')).toBeInTheDocument()
  expect(field).toHaveAttribute('aria-invalid', 'true')
})

test('a problem is shown at its field, counted at the collapsed entry, and expands it', async () => {
  const found = [
    {
      file: 'facts/ambassadors.json',
      place: 'bo.cn.name',
      code: 'not_chinese' as const,
      words: { en: 'No Chinese', cn: '没有汉字' },
    },
  ]
  const { user } = await open(piece({ found, problems: 1, hasDraft: true }))
  const place = `bo › ${t('consoleContent.chinese')} › ${t('consoleContent.field.name')}`
  await user.click(screen.getByRole('button', { name: place }))
  const label = `${t('consoleContent.field.name')} ${t('consoleContent.chinese')}`
  const field = screen.getAllByLabelText(label)[1]!
  expect(field).toHaveFocus()
  expect(field).toHaveAccessibleDescription('No Chinese')
  expect(field.closest('details')).toHaveAttribute('open')
})

test("a colleague's change in another field is merged; for the same field both are shown", async () => {
  const { user } = await open()
  const label = `${t('consoleContent.field.name')} ${t('consoleContent.english')}`
  await user.type(screen.getAllByLabelText(label)[0]!, ' Mine')
  const theirs = {
    place: '',
    version: 5,
    by: { id: '0198f0a0-0000-7000-8000-00000000000a', name: 'Grace' },
    at: '2036-05-06T10:00:00.000Z',
  }
  refusing(saveContentDraft, 'conflict', {
    theirs: [{ ...theirs, value: [entry('ada', 'Ada Theirs'), entry('bo', 'Bo 2')] }],
  })
  await user.click(save())
  const conflict = within(await screen.findByRole('form', { name: t('consoleContent.clash') }))
  expect(conflict.getAllByRole('group').length).toBe(1)
  answeringInTurn(saveContentDraft, piece({ version: 6 }))
  await user.click(conflict.getByRole('button', { name: t('consoleContent.clash.goOn') }))
  await screen.findByText('Ada', { selector: 'span' })
  expect(sent()[1]).toEqual([entry('ada', 'Ada Mine'), entry('bo', 'Bo 2')])
})

test('values are added under a name chosen by the editor, and removed', async () => {
  await signedIn({ manageNews: 2 })
  const social = { github: 'https://github.example' }
  const held = { ...piece(), ...newDocument('brand.json'), kind: 'brand' as const, version: 2 }
  answering(getContentItem, { ...held, file: { social }, published: { social }, value: { social } })
  const fields = [
    {
      name: 'social',
      isOptional: false,
      shape: { kind: 'named' as const, item: { kind: 'address' as const } },
    },
  ]
  answering(getContentShape, { shape: { kind: 'object', fields } })
  const { user } = await showPage('/console/content/brand/links')
  const name = await screen.findByLabelText(t('consoleContent.named.name'))
  await user.type(name, 'github')
  expect(name).toHaveAccessibleDescription(t('consoleContent.named.taken'))
  await user.clear(name)
  await user.type(name, 'discord')
  await user.click(screen.getByRole('button', { name: t('consoleContent.named.add') }))
  await user.type(screen.getByLabelText('Discord'), 'https://discord.example')
  await user.click(named('consoleContent.removeNamed', 'GitHub'))
  answering(saveContentDraft, { ...held, version: 3 })
  await user.click(save())
  expect(sent()).toEqual([{ social: { discord: 'https://discord.example' } }])
})
