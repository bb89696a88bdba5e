// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { checkPasswordReset, executePasswordReset } from '#contract/people/members.ts'
import { signOut } from '#contract/people/sessions.ts'
import { expectAlert, missing, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const labels = ['login.change.new.label', 'login.change.repeat.label'] as const
const field = (at: 0 | 1) => screen.getByLabelText(t(labels[at]))
const submit = () => screen.getByRole('button', { name: t('login.change.submit') })

const account = { email: 'owner@example.com', passwordLengthMin: 5 }

async function fillIn(passwd: string, repeat: string) {
  answering(checkPasswordReset, account)
  const { user } = await showPage('/login/change-password/an-id/a-code')
  expect(submit()).toHaveAccessibleDescription(missing(t, ...labels))
  await user.type(field(0), passwd)
  await user.type(field(1), repeat)
  return user
}

test('two different entries show an error and send nothing', async () => {
  const user = await fillIn('secret words', 'other words')
  expect(submit()).toBeEnabled()
  await user.click(submit())
  await waitFor(() =>
    expect(field(1)).toHaveAccessibleDescription(expect.stringContaining(t('forms.passwordMismatch'))),
  )
  expect(callsOf(executePasswordReset)).toEqual([])
  // The error disappears with its cause, even if the cause is in the other field.
  await user.clear(field(0))
  await user.type(field(0), 'other words')
  await waitFor(() => expect(field(1)).not.toHaveAttribute('aria-invalid'))
})

test("sends the new password with the link's code, and sign-in confirms the change", async () => {
  answering(executePasswordReset, { changed: true })
  const alert = vi.fn<typeof window.alert>()
  vi.stubGlobal('alert', alert)
  window.alert = alert
  const user = await fillIn('secret words', 'secret words')
  await user.click(submit())
  expect(await screen.findByRole('heading', { name: t('login.signin.heading') })).toBeVisible()
  expect(callsOf(executePasswordReset)[0]!.body).toEqual({
    id: 'an-id',
    pwdresetcode: 'a-code',
    passwd: 'secret words',
  })
  expect(screen.getByLabelText(t('forms.email.label'))).toHaveValue(account.email)
  expect(alert).toHaveBeenCalledWith(t('login.change.success'))
  expect(screen.getByRole('region', { name: t('layout.notices.label') })).toHaveTextContent(
    t('login.change.success'),
  )
})

test('an invited colleague reads by whom and to what, and goes on to the second factor', async () => {
  const invitation = {
    by: 'Ada (ada@example.com)',
    isWriteAccessAdmin: false,
    manageNews: 2,
    manageEmployee: 0,
    manageFinance: 1,
    manageCoins: 0,
  } as const
  answering(checkPasswordReset, { ...account, invitation })
  answering(executePasswordReset, { changed: true })
  vi.stubGlobal('alert', vi.fn<typeof window.alert>())
  const { user } = await showPage('/login/choose-password/an-id/a-code')
  expect(await screen.findByRole('heading', { name: t('invitation.heading') })).toBeVisible()
  expect(screen.getByText(t('invitation.text', { name: invitation.by }))).toBeVisible()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([t('invitation.right.news.2'), t('invitation.right.finance.1')]),
  )
  expect(screen.queryByText(t('invitation.right.employee.1'))).toBeNull()
  await user.type(field(0), 'secret words')
  await user.type(field(1), 'secret words')
  await user.click(screen.getByRole('button', { name: t('invitation.submit') }))
  expect(await screen.findByRole('heading', { name: t('login.signin.heading') })).toBeVisible()
  expect(sessionStorage.getItem('_afterLoginUrl')).toBe('/account/security')
})

test('an expired link leads to a new one', async () => {
  refusing(executePasswordReset, 'reset_code_invalid', { message: 'It has run out.' })
  const user = await fillIn('secret words', 'secret words')
  await user.click(submit())
  await expectAlert('It has run out.')
  expect(screen.getByRole('link', { name: t('login.change.newLink') })).toHaveAttribute(
    'href',
    '/login/reset',
  )
})

test('an invalid link says so when it is opened, and offers a new one', async () => {
  refusing(checkPasswordReset, 'reset_code_invalid')
  await showPage('/login/change-password/an-id/a-code')
  await expectAlert(t('errors.reset_code_invalid'))
  expect(screen.getByRole('link', { name: t('login.change.newLink') })).toHaveAttribute(
    'href',
    '/login/reset',
  )
  expect(screen.queryByLabelText(t(labels[0]))).toBeNull()
  expect(callsOf(checkPasswordReset).map(({ body }) => body)).toEqual([
    { id: 'an-id', pwdresetcode: 'a-code' },
  ])
})

test('staff see a minimum of twelve, and a shorter password is not sent', async () => {
  answering(checkPasswordReset, { ...account, passwordLengthMin: 12 })
  const { user } = await showPage('/login/change-password/an-id/a-code')
  expect(await screen.findByText(t('forms.passwordMin', { min: 12 }))).toBeVisible()
  for (const at of [0, 1] as const) await user.type(field(at), 'elevenchars')
  expect(submit()).toBeDisabled()
  for (const at of [0, 1] as const) await user.type(field(at), '!')
  await waitFor(() => expect(submit()).toBeEnabled())
})

test('the form appears even if the first request gets no answer', async () => {
  unreachable(checkPasswordReset)
  await showPage('/login/change-password/an-id/a-code')
  expect(field(0)).toBeVisible()
})

/** The server does this when it ends the session. */
const forgetCookie = () => void (document.cookie = 'XSRF-TOKEN=; max-age=0')

test('a signed-in member is redirected home from a reset link, and can sign out to open it', async () => {
  answering(checkPasswordReset, account)
  answering(signOut, { signedOut: true })
  await signedIn({})
  const { user } = await showPage('/login/change-password/an-id/a-code')
  const notices = within(screen.getByRole('region', { name: t('layout.notices.label') }))
  expect(await notices.findByText(t('layout.notice.linkWhileSignedIn'))).toBeVisible()
  expect(location.pathname).toBe('/')
  expect(notices.getByRole('button', { name: t('layout.notice.changePassword') })).toBeVisible()
  forgetCookie()
  await user.click(notices.getByRole('button', { name: t('layout.notice.signOutAndOpen') }))
  expect(await screen.findByRole('heading', { name: t('login.change.heading') })).toBeVisible()
  expect(location.pathname).toBe('/login/change-password/an-id/a-code')
  expect(callsOf(signOut)).toHaveLength(1)
})

test('the link that sets a password works while another account is signed in, and signs that one out', async () => {
  answering(checkPasswordReset, account)
  answering(executePasswordReset, { changed: true })
  answering(signOut, { signedOut: true })
  const alert = vi.fn<typeof window.alert>()
  vi.stubGlobal('alert', alert)
  window.alert = alert
  await signedIn({ email: 'other@example.com' })
  const { user } = await showPage('/login/choose-password/an-id/a-code')
  expect(
    await screen.findByText(t('login.change.otherAccount', { email: 'other@example.com' })),
  ).toBeVisible()
  await user.type(field(0), 'secret words')
  await user.type(field(1), 'secret words')
  forgetCookie()
  await user.click(submit())
  expect(await screen.findByRole('heading', { name: t('login.signin.heading') })).toBeVisible()
  expect(screen.getByLabelText(t('forms.email.label'))).toHaveValue(account.email)
  expect(callsOf(signOut)).toHaveLength(1)
})
