// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  checkConversation,
  findConversation,
  markConversationRead,
  sendMessage,
  type OwnConversation,
} from '#contract/people/conversations.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { show } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { Conversation } from './conversation.tsx'

const t = wordsOf('en')

const conversation = (change: Partial<OwnConversation> = {}): OwnConversation => ({
  id: 'c1',
  about: 'order',
  of: 'o1',
  reference: 'COIN-1',
  status: 'waiting',
  messageAt: '2026-11-24T08:30:00.000Z',
  hasUnread: true,
  messages: [
    {
      id: 'm1',
      isFromStaff: true,
      at: '2026-11-24T08:30:00.000Z',
      text: 'Yes, today.',
      attachments: [{ id: 'a1', kind: 'pdf', bytes: 1000, isDeleted: true }],
    },
  ],
  updatedAt: '2026-11-24T08:30:00.000Z',
  ...change,
})

const shown = () => show(<Conversation memberId="m" about="order" of="o1" />)
const field = (label: string) => screen.findByRole('textbox', { name: label })
const send = () => userEvent.click(screen.getByRole('button', { name: t('conversations.send') }))

test('shows the answers of staff, and marks them as read', async () => {
  answering(findConversation, { conversation: conversation() })
  answering(markConversationRead, { read: true })
  shown()
  expect(await screen.findByText('Yes, today.')).toBeVisible()
  expect(screen.getByText(t('conversations.team'))).toBeVisible()
  expect(screen.getByText(t('conversations.attachment.deleted'))).toBeVisible()
  await expect.poll(() => callsOf(markConversationRead)).toMatchObject([{ params: { id: 'c1' } }])
})

test('keeps the text if a message can’t be sent, and sends it once with the same key', async () => {
  answering(findConversation, { conversation: null })
  refusing(sendMessage, 'unavailable')
  shown()
  const text = await field(t('conversations.question'))
  await send()
  expect(text).toBeInvalid()
  await userEvent.type(text, 'Did you get it?')
  await send()
  await expect.poll(() => screen.getByRole('alert').textContent).not.toBe('')
  expect(text).toHaveValue('Did you get it?')
  answering(sendMessage, conversation({ status: 'open', hasUnread: false }))
  await send()
  await expect.poll(() => (text as HTMLTextAreaElement).value).toBe('')
  const bodies = callsOf(sendMessage)
  expect(bodies.at(-1)).toMatchObject({ body: { about: 'order', of: 'o1', text: 'Did you get it?' } })
})

test('an answer appears in the open conversation, only while the page is visible, and the draft stays', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const visibility = vi.spyOn(document, 'visibilityState', 'get')
  onTestFinished(() => visibility.mockRestore())
  answering(findConversation, { conversation: null })
  shown()
  const text = await field(t('conversations.question'))
  await userEvent.type(text, 'Did you')
  const wait = () => act(() => vi.advanceTimersByTimeAsync(20 * SECOND))

  visibility.mockReturnValue('hidden')
  await wait()
  expect(callsOf(checkConversation)).toEqual([])
  visibility.mockReturnValue('visible')
  answering(checkConversation, { updatedAt: null })
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(callsOf(checkConversation)).toHaveLength(1))
  expect(callsOf(findConversation)).toHaveLength(1)

  // A check that fails is repeated.
  refusing(checkConversation, 'unavailable')
  await wait()
  answering(checkConversation, { updatedAt: '2026-11-24T08:30:00.000Z' })
  answering(findConversation, { conversation: conversation() })
  answering(markConversationRead, { read: true })
  await wait()
  expect(await screen.findByText('Yes, today.')).toBeVisible()
  expect(screen.getByText(t('conversations.arrived'))).toBeVisible()
  await expect.poll(() => callsOf(markConversationRead)).toHaveLength(1)
  expect(screen.getByRole('textbox', { name: t('conversations.answer') })).toHaveValue('Did you')
})
