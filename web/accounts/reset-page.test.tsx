// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { requestPasswordReset } from '#contract/people/members.ts'
import { expectAlert, showPage } from '#tests/setup/show.tsx'
import { callsOf, holding, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { passEmailOn } from '../kernel/forms/passed-email.ts'

const t = wordsOf('en')
const email = () => screen.getByLabelText(t('forms.email.label'))
const submit = () => screen.getByRole('button', { name: t('login.reset.submit') })

test('a reset is requested once, and a confirmation replaces the form and gets the focus', async () => {
  const answer = holding(requestPasswordReset, { sent: true })
  const { user } = await showPage('/login/reset')
  await user.type(email(), 'a@example.com')
  await user.click(submit())
  expect(screen.getByRole('button', { name: t('login.reset.busy') })).toBeDisabled()
  answer()
  expect(await screen.findByText(t('login.reset.sent'))).toBeVisible()
  expect(screen.getByText(t('login.reset.sentHelp', { email: 'a@example.com' }))).toBeVisible()
  await waitFor(() => expect(screen.getByRole('status')).toHaveFocus())
  expect(callsOf(requestPasswordReset)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: t('login.reset.again') }))
  expect(email()).toBeVisible()
})

test('an address typed on the previous page is filled in', async () => {
  passEmailOn('carried@example.com')
  await showPage('/login/reset')
  expect(email()).toHaveValue('carried@example.com')
  passEmailOn(undefined)
})

test('without a connection the page says so, and the address stays', async () => {
  unreachable(requestPasswordReset)
  const { user } = await showPage('/login/reset')
  await user.type(email(), 'a@example.com')
  await user.click(submit())
  await expectAlert(t('errors.offline'))
  expect(email()).toHaveValue('a@example.com')
})
