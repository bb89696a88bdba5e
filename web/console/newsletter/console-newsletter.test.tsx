// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import {
  listSubscribers,
  readPostMail,
  testPostMail,
  type ConsoleSubscriber,
} from '#contract/publishing/newsletter.ts'
import { expectAlert, showPage, signedIn } from '#tests/setup/show.tsx'
import {
  answering,
  answeringInTurn,
  answeringPage,
  callsOf,
  holding,
  refusing,
  unreachable,
} from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const button = (key: string) => screen.getByRole('button', { name: t(key) })

const postMail: OutputOf<typeof readPostMail> = {
  mail: { subject: 'News: one post', text: 'One post', html: '<p>One post</p>' },
  readers: { each: 12, weekly: 3 },
  subscribers: [
    { language: 'en', category: 'News', count: 15 },
    { language: 'cn', category: 'Events', count: 4 },
  ],
  progress: null,
}
const progress = {
  startedAt: '2036-05-01T10:00:00.000Z',
  isQueued: false,
  queued: 9,
  sent: 5,
  failed: 1,
  stopped: 1,
}
const postPath = '/console/newsroom/p1/mail'
const valueOf = (label: string) => screen.getByText(label).nextElementSibling

test('an editor sees the email in an inert frame, its recipients, and its progress', async () => {
  await signedIn({ manageNews: 1 })
  answeringInTurn(readPostMail, postMail, { ...postMail, progress })
  const { user, container } = await showPage(postPath)
  expect(await screen.findByText('News: one post')).toBeVisible()
  const frame = container.querySelector('iframe')!
  expect(frame.getAttribute('sandbox')).toBe('')
  expect(frame.srcdoc).toContain('<p>One post</p>')
  expect(valueOf(t('consoleNewsletter.mail.each'))).toHaveTextContent('12')
  expect(valueOf(t('consoleNewsletter.mail.weekly'))).toHaveTextContent('3')
  expect(valueOf('Chinese · Events')).toHaveTextContent('4')
  expect(screen.getByText(t('consoleNewsletter.progress.none'))).toBeVisible()
  // Staff with read access cannot send emails, not even to themselves.
  expect(screen.queryByRole('button', { name: t('consoleNewsletter.mail.test') })).toBeNull()

  await user.click(button('consoleNewsletter.reload'))
  await waitFor(() =>
    expect(valueOf(t('consoleNewsletter.progress.queued'))).toHaveTextContent(
      `9 (${t('consoleNewsletter.progress.writing')})`,
    ),
  )
  expect(valueOf(t('consoleNewsletter.progress.open'))).toHaveTextContent('2')
  expect(valueOf(t('consoleNewsletter.progress.failed'))).toHaveTextContent('1')
})

test('says so before anyone has confirmed', async () => {
  await signedIn({ manageNews: 1 })
  answering(readPostMail, { ...postMail, subscribers: [], readers: { each: 0, weekly: 0 } })
  await showPage(postPath)
  expect(await screen.findByText(t('consoleNewsletter.mail.nobody'))).toBeVisible()
})

test('waits for the email to load', async () => {
  await signedIn({ manageNews: 2 })
  const arrive = holding(readPostMail, postMail)
  await showPage(postPath)
  expect(screen.getByText(t('forms.loading'))).toBeInTheDocument()
  arrive()
  expect(await screen.findByText('News: one post')).toBeVisible()
})

test("an email that can't be loaded can be retried", async () => {
  await signedIn({ manageNews: 2 })
  unreachable(readPostMail)
  const { user } = await showPage(postPath)
  expect(await screen.findByText(t('consoleNewsletter.mail.failed'))).toBeVisible()
  answering(readPostMail, postMail)
  await user.click(button('forms.retry'))
  expect(await screen.findByText('News: one post')).toBeVisible()
})

test('a test goes to the editor, once per click, and a refusal is shown', async () => {
  await signedIn({ manageNews: 2 })
  answering(readPostMail, postMail)
  const { user } = await showPage(postPath)
  refusing(testPostMail, 'rate_limited')
  await user.click(button('consoleNewsletter.mail.test'))
  await expectAlert('refused: rate_limited')
  const arrive = holding(testPostMail, { to: 'editor@example.org' })
  await user.click(button('consoleNewsletter.mail.test'))
  expect(await screen.findByRole('button', { name: t('forms.sending') })).toBeDisabled()
  arrive()
  expect(
    await screen.findByText(t('consoleNewsletter.mail.sent', { email: 'editor@example.org' })),
  ).toBeVisible()
  expect(callsOf(testPostMail)).toMatchObject([{ params: { id: 'p1' } }, { params: { id: 'p1' } }])
})

const subscriber = (id: string, fields: Partial<ConsoleSubscriber> = {}): ConsoleSubscriber => ({
  id,
  email: `${id}@example.org`,
  memberId: null,
  language: 'en',
  categories: ['News', 'Events'],
  rhythm: 'weekly',
  state: 'active',
  askedAt: '2036-05-01T10:00:00.000Z',
  consentedAt: '2036-05-01T11:00:00.000Z',
  wording: '1',
  way: 'form',
  endedAt: null,
  endedBy: null,
  reason: null,
  ...fields,
})
const ended = subscriber('eve', {
  state: 'ended',
  endedAt: '2036-05-02T11:00:00.000Z',
  endedBy: 'bounced',
})

async function showSubscribers(manageEmployee: 1 | 2, rows: ConsoleSubscriber[]) {
  await signedIn({ manageEmployee })
  answeringPage(listSubscribers, rows)
  return showPage('/console/subscribers')
}

test('subscribers are listed with their choices, and ended ones with the reason', async () => {
  await showSubscribers(1, [subscriber('ada'), ended])
  const table = within(await screen.findByRole('table'))
  const [, ada, eve] = table.getAllByRole('row')
  for (const words of [
    'ada@example.org',
    t('consoleNewsletter.state.active'),
    t('consoleNewsletter.rhythm.weekly'),
  ])
    expect(ada).toHaveTextContent(words)
  expect(eve).toHaveTextContent(t('consoleNewsletter.ended.bounced'))
  // Staff with read access cannot end subscriptions.
  expect(table.queryByRole('checkbox')).toBeNull()
})

test('says so if nobody matches, and keeps the filter in the address', async () => {
  const { user } = await showSubscribers(1, [])
  expect(await screen.findByText(t('consoleNewsletter.none'))).toBeVisible()
  await user.click(screen.getByRole('button', { name: t('console.list.filters') }))
  await user.selectOptions(screen.getByRole('combobox', { name: t('consoleNewsletter.state') }), 'pending')
  await waitFor(() => expect(callsOf(listSubscribers).at(-1)!.query).toMatchObject({ state: 'pending' }))
  expect(location.search).toBe('?state=pending')
})
