// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  answerConversation,
  checkConsoleConversation,
  deleteReply,
  getConsoleConversation,
  listConsoleConversations,
  listSavedReplies,
  revokeAnswerLinks,
  saveReply,
  startConversation,
  type ConsoleConversationDetail,
  type SavedReply,
} from '#contract/people/console-conversations.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { ConversationLink } from '#web/conversations/conversation-link.tsx'
import { expectAlert, show, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const languages = ['en', 'cn'] as const
const t = wordsOf('en')

const thanks: SavedReply = {
  id: 'r1',
  title: 'Thanks',
  en: 'Thank you.',
  cn: '谢谢。',
  updatedAt: '2036-05-01T10:00:00.000Z',
  by: 'Clerk',
}

const conversation = (change: Partial<ConsoleConversationDetail> = {}): ConsoleConversationDetail => ({
  id: 'c1',
  about: 'account',
  of: null,
  reference: null,
  memberId: 'm1',
  email: 'member@example.org',
  name: 'Wei Chen',
  status: 'open',
  statusAt: '2036-05-01T10:00:00.000Z',
  messageAt: '2036-05-01T10:00:00.000Z',
  updatedAt: '2036-05-01T10:00:00.000Z',
  assignee: null,
  language: 'en',
  messages: [
    {
      id: 'x1',
      isFromStaff: false,
      at: '2036-05-01T10:00:00.000Z',
      text: 'Where are my tokens?',
      attachments: [],
      by: null,
    },
  ],
  notes: [],
  colleagues: [],
  isAnswerable: true,
  hasAnswerLink: false,
  ...change,
})

async function onConversation(record: ConsoleConversationDetail, language: 'en' | 'cn' = 'en') {
  await signedIn({ manageEmployee: 2 })
  answering(getConsoleConversation, record)
  answering(listSavedReplies, [thanks])
  const page = await showPage('/console/messages/c1', language)
  const field = await screen.findByRole('textbox', { name: wordsOf(language)('consoleConversations.answer') })
  return { ...page, field }
}

async function onReplies(replies: readonly SavedReply[], language: 'en' | 'cn' = 'en') {
  await signedIn({ manageEmployee: 2 })
  answering(listSavedReplies, [...replies])
  return showPage('/console/saved-replies', language)
}

test.each(languages)('a saved reply is added in both languages (%s)', async (language) => {
  const t = wordsOf(language)
  const { user } = await onReplies([], language)
  expect(await screen.findByText(t('savedReplies.none'))).toBeVisible()
  await user.click(screen.getByRole('button', { name: t('savedReplies.add') }))
  await user.type(screen.getByRole('textbox', { name: t('savedReplies.title') }), 'Thanks')
  await user.type(screen.getByRole('textbox', { name: t('savedReplies.en') }), 'Thank you.')
  const save = screen.getByRole('button', { name: t('savedReplies.save') })
  await user.click(save)
  // Every reply needs a text in each language.
  expect(callsOf(saveReply)).toEqual([])
  await user.type(screen.getByRole('textbox', { name: t('savedReplies.cn') }), '谢谢。')
  answering(saveReply, thanks)
  answering(listSavedReplies, [thanks])
  await user.click(save)
  expect(await screen.findByRole('heading', { level: 2, name: 'Thanks' })).toBeVisible()
  expect(screen.getByText('Thank you.')).toHaveAttribute('lang', 'en')
  expect(screen.getByText('谢谢。')).toHaveAttribute('lang', 'zh-Hans')
  expect(callsOf(saveReply)).toMatchObject([{ body: { title: 'Thanks', en: 'Thank you.', cn: '谢谢。' } }])
})

test.each(languages)(
  'a saved reply is changed as it was read, and keeps what was typed (%s)',
  async (language) => {
    const t = wordsOf(language)
    const { user } = await onReplies([thanks], language)
    await user.click(
      await screen.findByRole('button', { name: t('savedReplies.editNamed', { title: 'Thanks' }) }),
    )
    const english = screen.getByRole('textbox', { name: t('savedReplies.en') })
    expect(english).toHaveValue('Thank you.')
    await user.type(english, ' See you.')
    refusing(saveReply, 'conflict')
    await user.click(screen.getByRole('button', { name: t('savedReplies.save') }))
    await expectAlert(t('savedReplies.outdated'))
    expect(english).toHaveValue('Thank you. See you.')
    answering(saveReply, { ...thanks, en: 'Thank you. See you.' })
    answering(listSavedReplies, [{ ...thanks, en: 'Thank you. See you.' }])
    await user.click(screen.getByRole('button', { name: t('savedReplies.save') }))
    expect(await screen.findByText('Thank you. See you.')).toBeVisible()
    expect(callsOf(saveReply).at(-1)).toMatchObject({
      body: { id: 'r1', updatedAt: thanks.updatedAt, en: 'Thank you. See you.', cn: '谢谢。' },
    })
  },
)

test('a saved reply is deleted after a confirmation', async () => {
  const { user } = await onReplies([thanks])
  await user.click(
    await screen.findByRole('button', { name: t('savedReplies.deleteNamed', { title: 'Thanks' }) }),
  )
  answering(deleteReply, { deleted: true })
  answering(listSavedReplies, [])
  await user.click(
    within(screen.getByRole('dialog')).getByRole('button', { name: t('savedReplies.delete.label') }),
  )
  expect(await screen.findByText(t('savedReplies.none'))).toBeVisible()
  expect(callsOf(deleteReply)).toMatchObject([{ params: { id: 'r1' } }])
})

test.each([
  ['en', 'en', 'Thank you.'],
  ['en', 'cn', '谢谢。'],
  ['cn', 'en', 'Thank you.'],
  ['cn', 'cn', '谢谢。'],
] as const)(
  'in a console in %s, a saved reply is inserted in the language of the reader (%s), below what was typed',
  async (language, ofReader, inserted) => {
    const t = wordsOf(language)
    const { user, field } = await onConversation(conversation({ language: ofReader }), language)
    const choice = await screen.findByRole('combobox', { name: t('consoleConversations.reply') })
    await user.selectOptions(choice, 'Thanks')
    expect(field).toHaveValue(inserted)
    await user.clear(field)
    await user.type(field, 'Hello Wei,')
    await user.selectOptions(choice, 'Thanks')
    expect(field).toHaveValue(`Hello Wei,\n\n${inserted}`)
    answering(answerConversation, conversation({ status: 'waiting' }))
    await user.click(screen.getByRole('button', { name: t('conversations.send') }))
    await waitFor(() => expect(field).toHaveValue(''))
    expect(callsOf(answerConversation)).toMatchObject([
      { params: { id: 'c1' }, body: { text: `Hello Wei,\n\n${inserted}` } },
    ])
  },
)

const startButton = (language: 'en' | 'cn') =>
  screen.findByRole('button', { name: wordsOf(language)('consoleConversations.start') })

test.each(languages)('staff start a conversation, which then opens (%s)', async (language) => {
  const t = wordsOf(language)
  await signedIn({ manageEmployee: 2 })
  const { user } = show(<ConversationLink about="account" of="m1" ownerId="m1" />, language)
  await user.click(await startButton(language))
  const dialog = screen.getByRole('dialog', { name: t('consoleConversations.start.title') })
  const send = within(dialog).getByRole('button', { name: t('consoleConversations.start.label') })
  const text = within(dialog).getByRole('textbox', { name: t('consoleConversations.start.message') })
  await user.click(send)
  expect(text).toBeInvalid()
  await user.type(text, 'Please verify your address.')
  refusing(startConversation, 'unavailable')
  await user.click(send)
  await waitFor(() => expect(within(dialog).getByRole('alert')).not.toBeEmptyDOMElement())
  expect(text).toHaveValue('Please verify your address.')
  answering(startConversation, conversation())
  answering(getConsoleConversation, conversation())
  answering(listSavedReplies, [])
  await user.click(send)
  expect(await screen.findByText('Where are my tokens?')).toBeVisible()
  expect(location.pathname).toBe('/console/messages/c1')
  expect(callsOf(startConversation).at(-1)).toMatchObject({
    body: { about: 'account', of: 'm1', text: 'Please verify your address.' },
  })
})

test('if a colleague has started the conversation in the meantime, the page links to it', async () => {
  await signedIn({ manageEmployee: 2 })
  const { user } = show(<ConversationLink about="account" of="m1" ownerId="m1" />)
  await user.click(await startButton('en'))
  const dialog = screen.getByRole('dialog')
  await user.type(within(dialog).getByRole('textbox'), 'Hello')
  refusing(startConversation, 'conflict')
  answering(listConsoleConversations, [conversation()])
  await user.click(within(dialog).getByRole('button', { name: t('consoleConversations.start.label') }))
  expect(await screen.findByRole('link', { name: t('consoleConversations.open') })).toHaveAttribute(
    'href',
    '/console/messages/c1',
  )
  expect(screen.getByText(t('consoleConversations.taken'))).toBeVisible()
})

test.each([
  [{ manageEmployee: 1 }, 'consoleConversations.notYet'],
  [{ manageFinance: 2 }, 'consoleConversations.own'],
] as const)('nobody starts a conversation without the level for it (%o)', async (rights, message) => {
  await signedIn(rights)
  show(<ConversationLink about="account" of="m1" ownerId="m1" />)
  expect(await screen.findByText(t(message))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleConversations.start') })).toBeNull()
})

test('staff revoke the links of a visitor after a confirmation', async () => {
  const visitor = conversation({ about: 'visitor', memberId: null, hasAnswerLink: true })
  const { user } = await onConversation(visitor)
  await user.click(screen.getByRole('button', { name: t('consoleConversations.revoke') }))
  answering(revokeAnswerLinks, { ...visitor, hasAnswerLink: false })
  const dialog = screen.getByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: t('consoleConversations.revoke.label') }))
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: t('consoleConversations.revoke') })).toBeNull(),
  )
  expect(callsOf(revokeAnswerLinks)).toMatchObject([{ body: { updatedAt: visitor.updatedAt } }])
})

test('new messages appear while an answer is typed, which is then sent as an answer to them', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const before = conversation()
  const { user, field } = await onConversation(before)
  await user.type(field, 'In two days.')
  const read = () => callsOf(getConsoleConversation).length
  const reads = read()
  answering(checkConsoleConversation, { updatedAt: before.updatedAt })
  await act(() => vi.advanceTimersByTimeAsync(20 * SECOND))
  await waitFor(() => expect(callsOf(checkConsoleConversation)).toHaveLength(1))
  // Nothing has changed, so nothing is read, which the audit log would record.
  expect(read()).toBe(reads)
  const updatedAt = '2036-05-01T10:05:00.000Z'
  const added = { ...before.messages[0]!, id: 'x2', text: 'And my receipt?', at: updatedAt }
  answering(checkConsoleConversation, { updatedAt })
  answering(getConsoleConversation, { ...before, updatedAt, messages: [...before.messages, added] })
  await act(() => vi.advanceTimersByTimeAsync(20 * SECOND))
  expect(await screen.findByText('And my receipt?')).toBeVisible()
  expect(screen.getByText(t('conversations.arrived'))).toBeVisible()
  expect(field).toHaveValue('In two days.')
  answering(answerConversation, conversation({ status: 'waiting', updatedAt: '2036-05-01T10:06:00.000Z' }))
  await user.click(screen.getByRole('button', { name: t('conversations.send') }))
  await waitFor(() => expect(field).toHaveValue(''))
  expect(callsOf(answerConversation)).toMatchObject([{ body: { updatedAt } }])
  expect(screen.queryByText(t('conversations.arrived'))).toBeNull()
})
