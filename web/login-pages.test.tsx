import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import cnErrors from '#content/messages/cn/errors.json'
import cnForms from '#content/messages/cn/forms.json'
import cnLogin from '#content/messages/cn/login.json'
import cnProof from '#content/messages/cn/proof.json'
import errors from '#content/messages/en/errors.json'
import forms from '#content/messages/en/forms.json'
import login from '#content/messages/en/login.json'
import proof from '#content/messages/en/proof.json'
import type { Language } from '#contract/fields.ts'
import { WordsProvider } from './i18n/words.tsx'
import activatePage from './accounts/activate-page.tsx'
import changePasswordPage from './accounts/change-password-page.tsx'
import resetPage from './accounts/reset-page.tsx'
import signupPage from './accounts/signup-page.tsx'
import signinPage from './sessions/signin-page.tsx'

const messages = {
  en: { ...errors, ...forms, ...login, ...proof },
  cn: { ...cnErrors, ...cnForms, ...cnLogin, ...cnProof },
}
const pages = {
  signin: signinPage,
  signup: signupPage,
  reset: resetPage,
  activate: activatePage,
  change: changePasswordPage,
}

const show = (name: keyof typeof pages, language: Language = 'en') => {
  const { View } = pages[name]
  return renderToStaticMarkup(
    <WordsProvider value={{ language, messages: messages[language], setLanguage: async () => {} }}>
      <View data={undefined} params={{ id: 'i', code: 'c' }} search={new URLSearchParams()} />
    </WordsProvider>,
  )
}

test.each(Object.keys(pages) as (keyof typeof pages)[])(
  '%s: as the server sends it, the button is disabled and the line under it says what is missing',
  (name) => {
    const html = show(name)
    expect(html).toMatch(/<button type="submit"[^>]*disabled=""/)
    expect(html).toContain(forms['forms.missing'].split('{')[0])
  },
)

test.each(Object.keys(pages) as (keyof typeof pages)[])(
  '%s: no field carries a value, so that what is typed before the page comes alive stays',
  (name) => expect(show(name)).not.toMatch(/<input[^>]* value=/),
)

test.each(Object.keys(pages) as (keyof typeof pages)[])(
  '%s: without script nothing typed can end up in the address',
  (name) => expect(show(name)).toMatch(/<form[^>]* method="post"/),
)

test('password fields say which password they take', () => {
  expect(show('signin')).toContain('autoComplete="current-password"')
  expect(show('signup').match(/autoComplete="new-password"/g)).toHaveLength(2)
  expect(show('change').match(/autoComplete="new-password"/g)).toHaveLength(2)
})

test('the least length of a new password is said before anything is typed', () => {
  for (const name of ['signup', 'change'] as const) expect(show(name)).toContain('At least 5 characters.')
})

test('no text is left untranslated', () => {
  for (const name of Object.keys(pages) as (keyof typeof pages)[])
    expect(show(name, 'cn')).not.toMatch(/>(login|forms|errors|field|FormErrors|passkey)\./)
})
