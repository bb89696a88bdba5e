// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  listSubscribers,
  removeSubscribers,
  type ConsoleSubscriber,
} from '#contract/publishing/newsletter.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const aSubscriber = (id: string): ConsoleSubscriber => ({
  id,
  email: `${id}@example.org`,
  memberId: null,
  state: 'active',
  language: 'en',
  categories: ['News'],
  rhythm: 'each',
  askedAt: '2036-05-01T10:00:00.000Z',
  consentedAt: '2036-05-01T10:00:00.000Z',
  wording: '1',
  way: 'form',
  endedAt: null,
  endedBy: null,
  reason: null,
})

const outcome = (id: string, code: 'conflict' | null = null) => ({
  id,
  isDone: code === null,
  code,
  reason: '',
  field: null,
  basis: null,
})

test('ends several subscriptions with one reason, without those that ended already', async () => {
  await signedIn({ manageEmployee: 2 })
  answering(listSubscribers, [aSubscriber('a'), aSubscriber('b')])
  answering(removeSubscribers, { rows: [outcome('a', 'conflict'), outcome('b')] })
  const { user } = await showPage('/console/subscribers')
  await user.click(await screen.findByRole('checkbox', { name: t('console.list.selectAll') }))
  await user.click(screen.getByRole('button', { name: t('consoleNewsletter.bulk.remove') }))
  const dialog = within(screen.getByRole('dialog', { hidden: true }))
  await dialog.findByText(t('console.list.bulk.wont', { count: 1 }))
  await user.type(
    dialog.getByRole('textbox', { name: t('consoleNewsletter.reason'), hidden: true }),
    'Asked for by mail',
  )
  const confirm = `${t('consoleNewsletter.bulk.remove.confirm')} (1)`
  answering(removeSubscribers, { rows: [outcome('b')] })
  await user.click(dialog.getByRole('button', { name: confirm, hidden: true }))
  const action = t('consoleNewsletter.bulk.remove.confirm')
  await screen.findByText(t('console.list.bulk.finished', { action, count: 1, all: 1 }))
  expect(callsOf(removeSubscribers).at(-1)!.body).toEqual({
    isPreview: false,
    rows: [{ id: 'b' }],
    reason: 'Asked for by mail',
  })
})

test('a failure keeps what was typed', async () => {
  await signedIn({ manageEmployee: 2 })
  answering(listSubscribers, [aSubscriber('a')])
  answering(removeSubscribers, { rows: [outcome('a')] })
  const { user } = await showPage('/console/subscribers')
  await user.click(await screen.findByRole('checkbox', { name: t('console.list.selectAll') }))
  await user.click(screen.getByRole('button', { name: t('consoleNewsletter.bulk.remove') }))
  const dialog = within(screen.getByRole('dialog', { hidden: true }))
  await dialog.findByText(t('console.list.bulk.will', { count: 1 }))
  const reason = dialog.getByRole('textbox', { name: t('consoleNewsletter.reason'), hidden: true })
  await user.type(reason, 'Asked for by mail')
  refusing(removeSubscribers, 'unavailable')
  await user.click(
    dialog.getByRole('button', { name: `${t('consoleNewsletter.bulk.remove.confirm')} (1)`, hidden: true }),
  )
  expect(await dialog.findByText(/refused: unavailable/)).toBeInTheDocument()
  expect(reason).toHaveValue('Asked for by mail')
})
