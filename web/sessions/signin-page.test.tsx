// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signIn } from '#contract/people/sessions.ts'
import { brandOf } from '#tests/setup/site-content.ts'
import { aMember, expectAlert, missing, showPage } from '#tests/setup/show.tsx'
import { callsOf, holding, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const email = () => screen.getByLabelText(t('forms.email.label'))
const password = () => screen.getByLabelText(t('login.signin.password.label'))
const submit = () => screen.getByRole('button', { name: t('login.signin.submit') })
const signingIn = async () => {
  const { user } = await showPage('/login/signin')
  await user.type(email(), 'a@example.com')
  await user.type(password(), 'secret words')
  await user.click(submit())
  return user
}

test('until email and password are filled in the button is disabled, and the line at it lists what is missing', async () => {
  const { user } = await showPage('/login/signin')
  const fields = ['forms.email.label', 'login.signin.password.label'] as const
  expect(submit()).toBeDisabled()
  expect(submit()).toHaveAccessibleDescription(missing(t, ...fields))
  await user.type(email(), 'a@example.com')
  expect(submit()).toHaveAccessibleDescription(missing(t, fields[1]))
  await user.type(password(), 'secret words')
  expect(submit()).toBeEnabled()
  expect(submit()).not.toHaveAccessibleDescription()
})

test('an invalid address shows an error when the field is left, which disappears once it is valid', async () => {
  const { user } = await showPage('/login/signin')
  await user.type(email(), 'nowhere')
  expect(email()).not.toHaveAttribute('aria-invalid')
  await user.tab()
  expect(email()).toHaveAttribute('aria-invalid', 'true')
  expect(email()).toHaveAccessibleDescription(t('FormErrors.ValidEmailError'))
  await user.type(email(), '@example.com')
  expect(email()).not.toHaveAttribute('aria-invalid')
  expect(email()).not.toHaveAccessibleDescription()
})

test('while waiting the button says so and ignores a second click', async () => {
  holding(signIn, aMember)
  await signingIn()
  const busy = await screen.findByRole('button', { name: t('login.signin.busy') })
  expect(busy).toBeDisabled()
  expect(busy).toHaveAttribute('aria-busy', 'true')
  expect(callsOf(signIn)).toEqual([
    { params: {}, query: {}, body: { email: 'a@example.com', password: 'secret words' } },
  ])
})

test('a refusal is announced, and the input stays', async () => {
  refusing(signIn, 'credentials_invalid')
  await signingIn()
  await expectAlert('refused: credentials_invalid')
  expect(email()).toHaveValue('a@example.com')
  expect(password()).toHaveValue('secret words')
  expect(submit()).toBeEnabled()
})

test('without a connection the page says so, and one click retries', async () => {
  unreachable(signIn)
  const user = await signingIn()
  await expectAlert(t('errors.offline'))
  refusing(signIn, 'credentials_invalid')
  await user.click(screen.getByRole('button', { name: t('forms.retry') }))
  await expectAlert('refused: credentials_invalid')
  expect(callsOf(signIn)).toHaveLength(2)
})

test('an account that was never activated is led to activation, with its address filled in', async () => {
  refusing(signIn, 'member_inactive')
  await signingIn()
  expect(await screen.findByRole('link', { name: /code from our email/i })).toHaveAttribute(
    'href',
    '/login/activate',
  )
})

test('a member whose account staff closed reads that, is led to the contact form, and is not asked for a code', async () => {
  refusing(signIn, 'member_inactive', { message: 'Closed by our staff.', isClosed: true })
  await signingIn()
  expect(await screen.findByRole('link', { name: /contact us/i })).toHaveAttribute('href', '/contact')
  await expectAlert(t('login.signin.closed').replaceAll(/<\/?link>/g, ''))
  expect(screen.queryByRole('link', { name: /code from our email/i })).toBeNull()
})

test('with a second factor the next step asks for it', async () => {
  refusing(signIn, 'second_factor_required', { secondFactor: { kinds: ['totp', 'recovery'] } })
  await signingIn()
  expect(await screen.findByRole('heading', { name: t('login.factor.heading') })).toBeVisible()
})

test('after too many wrong codes, lists the remaining factors, and only then', async () => {
  refusing(signIn, 'second_factor_required', { secondFactor: { kinds: ['totp', 'recovery'] } })
  const user = await signingIn()
  const code = await screen.findByLabelText(t('login.factor.label'))
  const give = async () => {
    await user.clear(code)
    await user.type(code, '123456')
    await user.click(submit())
  }
  refusing(signIn, 'rate_limited')
  await give()
  await expectAlert('refused: rate_limited')
  expect(screen.queryByText(t('login.factor.limited'), { exact: false })).toBeNull()
  refusing(signIn, 'rate_limited', { secondFactor: { kinds: ['recovery'] } })
  await give()
  expect(await screen.findByText(t('login.factor.limited'), { exact: false })).toBeVisible()
})

test('a member blocked by too many attempts reads where sign-in still works, and about the reset by email', async () => {
  refusing(signIn, 'rate_limited')
  await signingIn()
  await expectAlert('refused: rate_limited')
  const way = screen.getByText(/used before/).querySelector('a')
  expect(way).toHaveAttribute('href', '/login/reset')
})

test('says how to recognize the site, and links to channel verification', async () => {
  await showPage('/login/signin')
  expect(screen.getByText(new RegExp(`${brandOf('en').origin}/`))).toBeVisible()
  const [, words] = /<link>(.+)<\/link>/.exec(t('layout.signin.address', { site: '' }))!
  expect(screen.getByRole('link', { name: words! })).toHaveAttribute('href', '/official')
})
