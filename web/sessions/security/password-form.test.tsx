// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changePassword } from '#contract/people/members.ts'
import { expectAlert, missing, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { PasswordForm } from './password-form.tsx'

const t = wordsOf('en')
const labels = ['security.password.current', 'login.change.new.label', 'login.change.repeat.label'] as const
const field = (at: 0 | 1 | 2) => screen.getByLabelText(t(labels[at]))
const submit = () => screen.getByRole('button', { name: t('login.change.submit') })

async function fillIn(values: readonly string[], isStaff = false) {
  await signedIn()
  const { user } = show(<PasswordForm email="member@example.com" isStaff={isStaff} />)
  expect(submit()).toHaveAccessibleDescription(missing(t, ...labels))
  for (const [at, value] of values.entries()) await user.type(field(at as 0 | 1 | 2), value)
  return user
}

test('a changed password is confirmed, and the form is empty again', async () => {
  answering(changePassword, { changed: true })
  const user = await fillIn(['old words', 'secret words', 'secret words'])
  await user.click(submit())
  expect(await screen.findByText(t('security.password.done'))).toBeVisible()
  expect(callsOf(changePassword)[0]!.body).toEqual({ current: 'old words', passwd: 'secret words' })
  for (const at of [0, 1, 2] as const) expect(field(at)).toHaveValue('')
})

test('different entries show an error and send nothing', async () => {
  const user = await fillIn(['old words', 'secret words', 'other words'])
  await user.click(submit())
  await waitFor(() => expect(field(2)).toHaveAccessibleDescription(t('forms.passwordMismatch')))
  expect(callsOf(changePassword)).toEqual([])
})

test('a wrong current password is announced, and no input is lost', async () => {
  refusing(changePassword, 'credentials_invalid')
  const user = await fillIn(['wrong words', 'secret words', 'secret words'])
  await user.click(submit())
  await expectAlert(t('security.password.wrong'))
  expect(field(1)).toHaveValue('secret words')
})

test('staff need a longer password, and the minimum is shown in advance', async () => {
  await fillIn(['old words', 'elevenchars', 'elevenchars'], true)
  expect(field(1)).toHaveAccessibleDescription(expect.stringContaining('12'))
  expect(submit()).toBeDisabled()
})
