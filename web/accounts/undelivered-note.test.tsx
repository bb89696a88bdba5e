// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { readOwnMailbox } from '#contract/platform/mailboxes.ts'
import { requestVerificationCode, verifyEmail } from '#contract/people/members.ts'
import { show } from '#tests/setup/show.tsx'
import { answering, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { UndeliveredNote } from './user-info-page.tsx'

const t = wordsOf('en')
const email = 'ada@example.org'

test('if emails bounce, the member reads why and resolves it with an emailed code', async () => {
  const refusal = {
    refusedAt: '2036-05-01T10:00:00.000Z',
    trouble: 'mailbox_unknown' as const,
    code: '550 5.1.1',
    isReported: false,
  }
  answering(readOwnMailbox, { refusal })
  answering(requestVerificationCode, { sent: true })
  answering(verifyEmail, { proved: true })
  show(<UndeliveredNote email={email} />)
  expect(await screen.findByText(t('account.mailbox.heading'))).toBeVisible()
  expect(screen.getByText(/550 5\.1\.1/)).toHaveTextContent(email)
  await userEvent.click(await screen.findByRole('button', { name: t('security.mailbox.ask') }))
  await userEvent.type(await screen.findByLabelText(t('security.mailbox.code')), 'ABCD-EFGH-JKLM')
  await userEvent.click(screen.getByRole('button', { name: t('security.mailbox.submit') }))
  await expect.poll(() => screen.queryByText(t('account.mailbox.heading'))).toBeNull()
  expect(callsOf(requestVerificationCode)).toHaveLength(1)
})

test('after a complaint, the member reads which emails are withheld and how to get them again', async () => {
  answering(readOwnMailbox, {
    refusal: {
      refusedAt: '2036-05-01T10:00:00.000Z',
      trouble: 'complaint',
      code: 'complaint',
      isReported: true,
    },
  })
  show(<UndeliveredNote email={email} />)
  expect(await screen.findByText(t('account.mailbox.spam.heading'))).toBeVisible()
  expect(screen.getByText(t('account.mailbox.spam.do'))).toBeVisible()
  expect(screen.queryByText(/complaint/)).toBeNull()
  expect(await screen.findByRole('button', { name: t('security.mailbox.ask') })).toBeVisible()
})

test('if emails arrive, nothing is shown', async () => {
  answering(readOwnMailbox, { refusal: null })
  show(<UndeliveredNote email={email} />)
  await expect.poll(() => callsOf(readOwnMailbox).length).toBe(1)
  expect(screen.queryByText(t('account.mailbox.heading'))).toBeNull()
})
