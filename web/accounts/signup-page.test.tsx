// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { legal } from '#content/brand.json'
import { createMember } from '#contract/people/members.ts'
import { navigate } from '#web/kernel/navigation/navigate.ts'
import { expectAlert, missing, showPage } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

test.each(['en', 'cn'] as const)('an address that is too long shows the limit: %s', async (language) => {
  const t = wordsOf(language)
  const { user } = await showPage('/login/signup', language)
  const field = screen.getByLabelText(t('forms.email.label'))
  await user.click(field)
  fireEvent.input(field, { target: { value: `${'a'.repeat(300)}@example.org` } })
  await user.tab()
  // A number and its Chinese unit are joined by a no-break space.
  const limit = new RegExp(t('field.too_long', { max: 254 }).replaceAll(' ', '\\s'))
  expect(field).toHaveAccessibleDescription(expect.stringMatching(limit))
})

const t = wordsOf('en')
const fields = ['forms.email.label', 'login.signup.password.label', 'login.signup.confirm.label'] as const
const field = (at: 0 | 1 | 2) => screen.getByLabelText(t(fields[at]))
const submit = () => screen.getByRole('button', { name: t('login.signup.submit') })

const fillIn = async (...values: string[]) => {
  const { user } = await showPage('/login/signup')
  for (const [at, value] of values.entries()) await user.type(field(at as 0 | 1 | 2), value)
  return user
}

test('the line at the button counts down what is missing', async () => {
  const { user } = await showPage('/login/signup')
  expect(submit()).toHaveAccessibleDescription(missing(t, ...fields))
  await user.type(field(0), 'a@example.com')
  await user.type(field(1), 'secret words')
  expect(submit()).toHaveAccessibleDescription(missing(t, fields[2]))
  await user.type(field(2), 'secret words')
  expect(submit()).toBeEnabled()
})

test('two different passwords are reported at the second one and disable the button', async () => {
  const user = await fillIn('a@example.com', 'secret words', 'other words')
  await user.tab()
  expect(field(2)).toHaveAttribute('aria-invalid', 'true')
  expect(field(2)).toHaveAccessibleDescription(expect.stringContaining(t('forms.passwordMismatch')))
  expect(submit()).toBeDisabled()
})

test('a button that names its field shows and hides the password', async () => {
  const user = await fillIn('a@example.com', 'secret words')
  const named = (key: string) => ({ name: t(key, { field: t(fields[1]) }) })
  await user.click(screen.getByRole('button', named('forms.password.showNamed')))
  expect(field(1)).toHaveAttribute('type', 'text')
  await user.click(screen.getByRole('button', named('forms.password.hideNamed')))
  expect(field(1)).toHaveAttribute('type', 'password')
  expect(field(1)).toHaveValue('secret words')
})

test('signing up accepts the documents in their current versions, and leads to activation', async () => {
  answering(createMember, { email: 'a@example.com', active: false })
  const user = await fillIn('a@example.com', 'secret words', 'secret words')
  await user.click(submit())
  expect(await screen.findByRole('heading', { name: t('login.activate.heading') })).toBeVisible()
  expect(screen.getByLabelText(t('forms.email.label'))).toHaveValue('a@example.com')
  expect(callsOf(createMember)[0]!.body).toEqual({
    email: 'a@example.com',
    password: 'secret words',
    consents: [
      { document: 'terms', version: legal.terms },
      { document: 'privacy', version: legal.privacy },
    ],
  })
})

test('a problem found by the server is shown at its field, which gets the focus, and no input is lost', async () => {
  const errors = [{ path: 'password', code: 'common' as const, message: 'Known to everybody.' }]
  refusing(createMember, 'validation_failed', { errors })
  const user = await fillIn('a@example.com', 'secret words', 'secret words')
  await user.click(submit())
  await waitFor(() => expect(field(1)).toHaveFocus())
  expect(field(1)).toHaveAccessibleDescription(expect.stringContaining('Known to everybody.'))
  expect(field(2)).toHaveValue('secret words')
})

test('a refusal of the whole form is announced below the button', async () => {
  refusing(createMember, 'rate_limited', { message: 'Later, please.' })
  const user = await fillIn('a@example.com', 'secret words', 'secret words')
  await user.click(submit())
  await expectAlert('Later, please.')
  expect(submit()).toBeEnabled()
})

test.each(['en', 'cn'] as const)(
  'the legal texts open in a new tab, and the link says so: %s',
  async (language) => {
    const words = wordsOf(language)
    await showPage('/login/signup', language)
    const links = screen.getAllByRole('link', { name: (name) => name.endsWith(words('layout.newTab')) })
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('target')])).toEqual([
      ['/legal/terms', '_blank'],
      ['/legal/privacy', '_blank'],
    ])
  },
)

const invitation = () => screen.getByLabelText(t('login.signup.invitation.label'), { exact: false })

test('the code of an invitation link is filled in and sent, even after visits to other pages in the tab', async () => {
  const { user } = await showPage('/login/signup?invitation=AB12CD34')
  await waitFor(() => expect(invitation()).toHaveValue('AB12CD34'))
  await act(() => navigate('/login/signin'))
  await act(() => navigate('/login/signup'))
  await waitFor(() => expect(invitation()).toHaveValue('AB12CD34'))
  expect(document.cookie).toBe('')
  answering(createMember, { email: 'a@example.com', active: false })
  await user.type(field(0), 'a@example.com')
  await user.type(field(1), 'secret words')
  await user.type(field(2), 'secret words')
  await user.click(submit())
  await waitFor(() => expect(callsOf(createMember)).toHaveLength(1))
  expect(callsOf(createMember)[0]).toMatchObject({ body: { invitationCode: 'AB12CD34' } })
  // The address was mistyped: signing up again in this tab still uses the invitation.
  await act(() => navigate('/login/signup'))
  await waitFor(() => expect(invitation()).toHaveValue('AB12CD34'))
})

test('without an invitation none is sent, and an invalid link blocks nothing', async () => {
  const { user } = await showPage(`/login/signup?invitation=${'x%00'.repeat(200)}`)
  await waitFor(() => expect(invitation()).toHaveValue('x'.repeat(100)))
  await user.clear(invitation())
  answering(createMember, { email: 'a@example.com', active: false })
  await user.type(field(0), 'a@example.com')
  await user.type(field(1), 'secret words')
  await user.type(field(2), 'secret words')
  await user.click(submit())
  await waitFor(() => expect(callsOf(createMember)).toHaveLength(1))
  expect(callsOf(createMember)[0]).not.toHaveProperty('body.invitationCode')
})
