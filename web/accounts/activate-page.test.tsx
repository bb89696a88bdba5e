// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { activateMember, resendActivation } from '#contract/people/members.ts'
import { expectAlert, showPage } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const email = () => screen.getByLabelText(t('forms.email.label'))
const code = () => screen.getByLabelText(t('login.activate.code.label'))
const submit = () => screen.getByRole('button', { name: t('login.activate.submit') })
const resend = () => screen.getByRole('button', { name: t('login.activate.resend') })

test('the link in the email fills in the form but submits nothing', async () => {
  answering(activateMember, true)
  const { user } = await showPage('/login/activate?email=a@example.com&code=a-code')
  expect(email()).toHaveValue('a@example.com')
  expect(code()).toHaveValue('a-code')
  expect(screen.getByText(t('login.activate.leadFilled'))).toBeVisible()
  expect(callsOf(activateMember)).toEqual([])
  await user.click(submit())
  expect(await screen.findByRole('heading', { name: t('login.signin.heading') })).toBeVisible()
  expect(email()).toHaveValue('a@example.com')
  expect(callsOf(activateMember)[0]!.params).toEqual({ email: 'a@example.com', code: 'a-code' })
})

test('a wrong code is announced and stays for correction', async () => {
  answering(activateMember, false)
  const { user } = await showPage('/login/activate?email=a@example.com&code=wrong')
  await user.click(submit())
  await expectAlert(t('login.activate.failure'))
  expect(code()).toHaveValue('wrong')
})

test('another email requires an address, is sent once, and then not for a minute', async () => {
  answering(resendActivation, { sent: true })
  const { user } = await showPage('/login/activate')
  expect(resend()).toBeDisabled()
  expect(screen.getByText(t('login.activate.resendNeedsEmail'))).toBeVisible()
  await user.type(email(), 'a@example.com')
  await user.click(resend())
  expect(await screen.findByText(t('login.activate.resent'))).toBeVisible()
  expect(
    screen.getByRole('button', { name: t('login.activate.resendWait', { time: '1 minute' }) }),
  ).toBeDisabled()
  expect(callsOf(resendActivation).map(({ body }) => body)).toEqual([{ email: 'a@example.com' }])
})

test('a refused email is reported and can be retried', async () => {
  refusing(resendActivation, 'rate_limited', { message: 'Later, please.' })
  const { user } = await showPage('/login/activate?email=a@example.com&code=c')
  await user.click(resend())
  await expectAlert('Later, please.')
  expect(resend()).toBeEnabled()
})
