// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Language } from '#contract/platform/fields.ts'
import { showAsServed } from '#tests/setup/show.tsx'
import { messageKeys, wordsOf } from '#tests/setup/words.ts'
import activatePage from './accounts/activate-page.tsx'
import changePasswordPage from './accounts/change-password-page.tsx'
import resetPage from './accounts/reset-page.tsx'
import signupPage from './accounts/signup-page.tsx'
import signinPage from './sessions/signin-page.tsx'

const pages = {
  signin: { ...signinPage, submit: 'login.signin.submit', passwords: ['current-password'] },
  signup: { ...signupPage, submit: 'login.signup.submit', passwords: ['new-password', 'new-password'] },
  reset: { ...resetPage, submit: 'login.reset.submit', passwords: [] },
  activate: { ...activatePage, submit: 'login.activate.submit', passwords: [] },
  change: {
    ...changePasswordPage,
    submit: 'login.change.submit',
    passwords: ['new-password', 'new-password'],
  },
}
const names = Object.keys(pages) as (keyof typeof pages)[]
const t = wordsOf('en')

const serve = (name: keyof typeof pages, language: Language = 'en') => {
  const { View } = pages[name]
  showAsServed(
    <View data={undefined} params={{ id: 'i', code: 'c' }} search={new URLSearchParams()} />,
    language,
  )
}
const inputs = () => [...document.querySelectorAll('input')]

test.each(names)(
  "%s: in the server's HTML the button is disabled, and the line at it lists what is missing",
  (name) => {
    serve(name)
    const button = screen.getByRole('button', { name: t(pages[name].submit) })
    expect(button).toBeDisabled()
    expect(button).toHaveAttribute('type', 'submit')
    expect(button).toHaveAccessibleDescription(
      expect.stringContaining(t('forms.missing').split('{')[0]!.trim()),
    )
  },
)

test.each(names)('%s: fields have no value, so that input before hydration stays', (name) => {
  serve(name)
  expect(inputs().length).toBeGreaterThan(0)
  for (const input of inputs()) expect(input).not.toHaveAttribute('value')
})

test.each(names)('%s: without JavaScript no input can end up in the address', (name) => {
  serve(name)
  for (const input of inputs()) expect(input.form).toHaveAttribute('method', 'post')
})

test.each(names)('%s: every field has a name, and password fields say which password they take', (name) => {
  serve(name)
  for (const input of inputs()) expect(input).toHaveAccessibleName()
  const passwords = inputs().filter(({ type }) => type === 'password')
  expect(passwords.map((input) => input.getAttribute('autocomplete'))).toEqual(pages[name].passwords)
})

test('shows the minimum length of a new password before anything is typed', () => {
  for (const [name, label] of [
    ['signup', 'login.signup.password.label'],
    ['change', 'login.change.new.label'],
  ] as const) {
    serve(name)
    expect(screen.getByLabelText(t(label))).toHaveAccessibleDescription(
      expect.stringContaining('At least 5 characters.'),
    )
  }
})

test('no text is left untranslated', () => {
  for (const name of names) {
    serve(name, 'cn')
    const words = document.body.textContent.split(/\s+/)
    expect(words.filter((word) => messageKeys.has(word))).toEqual([])
  }
})
