// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  getMail,
  getMailTemplate,
  listMails,
  listMailTemplates,
  readMailFigures,
  sendMailAgain,
  sendMailsAgain,
  sendTestMail,
  setMailDelivery,
  stopMail,
  type ConsoleMail,
  type ConsoleMailDetail,
} from '#contract/platform/console-mails.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const failed: ConsoleMail = {
  id: 'm',
  to: 'ada@example.org',
  kind: 'rights-changed',
  title: 'Your rights were changed',
  state: 'failed',
  attempts: 1,
  trouble: 'mailbox_unknown',
  code: '550 5.1.1',
  createdAt: '2036-05-01T10:00:00.000Z',
  changedAt: '2036-05-01T10:00:00.000Z',
  sentAt: null,
  nextTryAt: null,
}
const opened: ConsoleMailDetail = {
  ...failed,
  memberId: 'ada',
  language: 'en',
  headers: [{ name: 'To', value: 'ada@example.org' }],
  tries: [
    {
      at: '2036-05-01T10:00:00.000Z',
      endedAt: '2036-05-01T10:00:01.000Z',
      trouble: 'mailbox_unknown',
      code: '550 5.1.1',
      step: 'RCPT TO',
    },
  ],
  actions: [],
  content: { subject: 'Your rights', text: 'Hello', html: '<p>Hello</p>', isTemplate: false },
  mayAct: true,
  againObstacle: null,
  stopObstacle: 'conflict',
}
const none = { count: 0, isMore: false }

async function showList(...mails: ConsoleMail[]) {
  return showListWith({ pausedAt: null }, ...mails)
}

async function showListWith(
  { pausedAt, isAdmin = false }: { pausedAt: string | null; isAdmin?: boolean },
  ...mails: ConsoleMail[]
) {
  await signedIn({ manageEmployee: 2, isWriteAccessAdmin: isAdmin })
  answering(listMailTemplates, [{ kind: 'rights-changed', title: failed.title, isAboutFinance: false }])
  answering(readMailFigures, {
    failed: { count: 1, isMore: false },
    retrying: none,
    waiting: none,
    stopped: none,
    pausedAt,
  })
  answering(listMails, mails)
  return showPage('/console/mails')
}

/** The address can break after the local part. */
const linkToFailed = /^ada@ ?example\. ?org$/
const button = (key: string) => screen.findByRole('button', { name: t(key) })

test('the list shows why an email has not arrived, and links to it', async () => {
  await showList(failed)
  const row = (await screen.findByRole('link', { name: linkToFailed })).closest('tr')!
  expect(row).toHaveTextContent(t('consoleMails.trouble.mailbox_unknown'))
  expect(row).toHaveTextContent('550 5.1.1')
  expect(within(row).getByRole('link')).toHaveAttribute('href', '/console/mails/m')
  const figure = within(await screen.findByRole('list', { name: t('consoleMails.figures') }))
  expect(figure.getAllByRole('link')[0]).toHaveAttribute('href', '/console/mails?state=failed')
})

test('resending several first lists those that can’t be resent, and why', async () => {
  const { user } = await showList(failed)
  await user.click(await screen.findByRole('checkbox', { name: /ada@example.org/ }))
  const refused = { isDone: false, code: 'mail_expired', field: null, basis: null } as const
  answering(sendMailsAgain, { rows: [{ id: failed.id, ...refused, reason: 'Its code has expired.' }] })
  await user.click(await button('consoleMails.bulk.again'))
  const dialog = within(screen.getByRole('dialog'))
  expect(await dialog.findByText('Its code has expired.')).toBeVisible()
  expect(dialog.getByRole('listitem')).toHaveTextContent(/ada@example.org/)
  const confirm = `${t('consoleMails.bulk.again.confirm')} (0)`
  expect(dialog.getByRole('button', { name: confirm })).toBeDisabled()
})

test('an administrator pauses the delivery after a question, and resumes it', async () => {
  const { user } = await showListWith({ pausedAt: null, isAdmin: true }, failed)
  const pausedAt = '2036-05-01T12:00:00.000Z'
  answeringInTurn(setMailDelivery, { pausedAt }, { pausedAt: null })
  await user.click(await button('consoleMails.pause'))
  expect(callsOf(setMailDelivery)).toEqual([])
  await user.click(await button('consoleMails.pause.confirm'))
  await user.click(await button('consoleMails.resume'))
  expect(await button('consoleMails.pause')).toBeVisible()
  expect(callsOf(setMailDelivery).map(({ body }) => body)).toEqual([{ paused: true }, { paused: false }])
})

test('other staff see that the delivery is paused, but can’t resume it', async () => {
  await showListWith({ pausedAt: '2036-05-01T12:00:00.000Z' }, failed)
  expect(await screen.findByText(/Delivery has been paused since/)).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleMails.resume') })).toBeNull()
})

test('readers get no selection and no test email', async () => {
  await signedIn({ manageEmployee: 1 })
  answering(listMailTemplates, [])
  answering(readMailFigures, { failed: none, retrying: none, waiting: none, stopped: none, pausedAt: null })
  answering(listMails, [failed])
  await showPage('/console/mails')
  await screen.findByRole('link', { name: linkToFailed })
  expect(screen.queryByRole('checkbox', { name: /ada@example.org/ })).toBeNull()
  expect(screen.queryByRole('button', { name: t('consoleMails.test') })).toBeNull()
})

test('the page of a failed email shows the reason, and can resend it', async () => {
  await signedIn({ manageEmployee: 2 })
  answering(getMail, opened)
  const { user, container } = await showPage('/console/mails/m')
  expect(await screen.findByText(/doesn’t recognize this address/)).toBeVisible()
  expect(screen.getByRole('link', { name: linkToFailed })).toHaveAttribute('href', '/console/members/ada')
  expect(screen.getAllByText(t('consoleMails.saidAt', { code: '550 5.1.1', step: 'RCPT TO' }))).toHaveLength(
    2,
  )
  const frame = container.querySelector('iframe')!
  expect(frame.getAttribute('sandbox')).toBe('')
  expect(frame.srcdoc).toContain(`content="default-src 'none'; style-src http`)
  expect(frame.srcdoc).toContain('<p>Hello</p>')
  expect(screen.queryByRole('button', { name: t('consoleMails.stop') })).toBeNull()

  await user.click(await button('consoleMails.again'))
  const dialog = within(await screen.findByRole('dialog', { name: t('consoleMails.again.title') }))
  answering(sendMailAgain, { ...failed, state: 'waiting' })
  answeringInTurn(getMail, {
    ...opened,
    state: 'sent',
    trouble: null,
    againObstacle: 'mail_delivered',
    stopObstacle: 'mail_delivered',
    actions: [{ at: '2036-05-02T10:00:00.000Z', what: 'sent_again', by: 'Grace' }],
  })
  await user.click(dialog.getByRole('button', { name: t('consoleMails.again.label') }))
  expect(await screen.findByText(t('consoleMails.event.again', { name: 'Grace' }))).toBeVisible()
  expect(callsOf(sendMailAgain).map(({ body }) => body)).toEqual([{ id: 'm' }])
  await waitFor(() => expect(screen.queryByRole('button', { name: t('consoleMails.again') })).toBeNull())
})

test('a waiting email is stopped after confirmation', async () => {
  await signedIn({ manageEmployee: 2 })
  answering(getMail, { ...opened, state: 'retrying', stopObstacle: null })
  const { user } = await showPage('/console/mails/m')
  await user.click(await button('consoleMails.stop'))
  const dialog = within(await screen.findByRole('dialog', { name: t('consoleMails.stop.title') }))
  answering(stopMail, { ...failed, state: 'stopped' })
  await user.click(dialog.getByRole('button', { name: t('consoleMails.stop.label') }))
  await waitFor(() => expect(callsOf(stopMail)).toHaveLength(1))
})

test('a retrying email is tried at once, in the words of its button', async () => {
  await signedIn({ manageEmployee: 2 })
  answering(getMail, { ...opened, state: 'retrying' })
  const { user } = await showPage('/console/mails/m')
  await user.click(await button('consoleMails.now'))
  const dialog = within(await screen.findByRole('dialog', { name: t('consoleMails.now.title') }))
  answering(sendMailAgain, { ...failed, state: 'waiting' })
  await user.click(dialog.getByRole('button', { name: t('consoleMails.now.label') }))
  expect(await screen.findByText(t('consoleMails.now.done'))).toBeVisible()
})

test("an email that can't be resent says why, and readers see no text", async () => {
  await signedIn({ manageEmployee: 1 })
  answering(getMail, { ...opened, mayAct: false, content: null, againObstacle: 'mail_expired' })
  const { container } = await showPage('/console/mails/m')
  expect(await screen.findByText(new RegExp(t('consoleMails.cannot')))).toHaveTextContent(
    t('errors.mail_expired'),
  )
  expect(screen.getByText(t('consoleMails.look.level'))).toBeVisible()
  expect(container.querySelector('iframe')).toBeNull()
  expect(screen.queryByRole('button', { name: t('consoleMails.again') })).toBeNull()
})

test('a deleted email links back to the list', async () => {
  await signedIn({ manageEmployee: 1 })
  refusing(getMail, 'not_found')
  await showPage('/console/mails/x')
  expect(await screen.findByText(t('consoleMails.gone'))).toBeVisible()
})

test("a test email shows the mail server's answer", async () => {
  const { user } = await showList()
  await user.click(await button('consoleMails.test'))
  answering(sendTestMail, {
    id: 'm',
    to: 'me@example.org',
    outcome: 'failed',
    trouble: 'authentication',
    code: '535 5.7.8',
    step: 'AUTH PLAIN',
  })
  await user.click(await button('consoleMails.test.send'))
  expect(await screen.findByText(/rejected the username or password/)).toBeVisible()
  expect(screen.getByText(/535 5.7.8/)).toBeVisible()
  expect(screen.getByRole('link', { name: t('consoleMails.test.open') })).toHaveAttribute(
    'href',
    '/console/mails/m',
  )
})

test('a template is shown in both languages side by side', async () => {
  await signedIn({ manageEmployee: 1 })
  answering(listMailTemplates, [
    { kind: 'activation', title: 'Activate', isAboutFinance: false },
    { kind: 'test', title: 'Test', isAboutFinance: false },
  ])
  const shown = (subject: string) => ({ subject, text: subject, html: `<p>${subject}</p>` })
  answering(getMailTemplate, { kind: 'test', en: shown('Test mail'), cn: shown('测试邮件') })
  const { container } = await showPage('/console/mails/templates?kind=test')
  expect(await screen.findByText('Test mail', { selector: 'strong' })).toBeVisible()
  expect(
    [...container.querySelectorAll('iframe')].map(({ srcdoc }) => /lang="(.*?)"/.exec(srcdoc)![1]),
  ).toEqual(['en', 'zh-Hans'])
  expect(callsOf(getMailTemplate).map(({ params }) => params)).toEqual([{ kind: 'test' }])
})
