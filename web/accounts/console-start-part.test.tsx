// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listNeedsAttention, readDashboardMetrics } from '#contract/console/console-home.ts'
import { findOrders } from '#contract/money/orders.ts'
import { listFourEyes } from '#contract/people/four-eyes.ts'
import { setConsoleStart, signIn } from '#contract/people/sessions.ts'
import { aMember, show, showPage, signedIn } from '#tests/setup/show.tsx'
import { noFigures } from '#tests/console-figures.ts'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { useSession } from '../kernel/session/session.ts'
import { ConsoleStartPart } from './console-start-part.tsx'

const t = wordsOf('en')
const label = t('account.console.label')

beforeEach(() => answering(findOrders, []))

function OwnPart() {
  const { member } = useSession()
  return member && <ConsoleStartPart opensConsole={member.opensConsole} />
}

test('the choice is saved at once, and says what it does', async () => {
  await signedIn({ manageFinance: 1 })
  const { user } = show(<OwnPart />)
  answering(setConsoleStart, { opensConsole: true })
  await user.click(screen.getByRole('checkbox', { name: label }))
  await waitFor(() => expect(screen.getByRole('checkbox', { name: label })).toBeChecked())
  expect(callsOf(setConsoleStart).map(({ body }) => body)).toEqual([{ opensConsole: true }])
})

test('a choice that can’t be saved says so and stays as it was', async () => {
  await signedIn({ manageFinance: 1 })
  refusing(setConsoleStart, 'unavailable')
  const { user } = show(<OwnPart />)
  const box = screen.getByRole('checkbox', { name: label })
  await user.click(box)
  await waitFor(() => expect(box).toHaveAccessibleDescription(/refused: unavailable/))
  expect(box).not.toBeChecked()
})

test('the orders page, where sign-in leads, has a link to the console for staff', async () => {
  await signedIn({ manageNews: 1 })
  await showPage('/account/account-details')
  expect(await screen.findByRole('link', { name: t('account.console.open') })).toHaveAttribute(
    'href',
    '/console',
  )
})

test('members are not led to the console', async () => {
  await signedIn()
  await showPage('/account/account-details')
  await screen.findByText(t('orders.empty'))
  expect(screen.queryByRole('link', { name: t('account.console.open') })).toBeNull()
})

const signInAs = async (member: Partial<typeof aMember>) => {
  answering(signIn, { ...aMember, ...member })
  const { user } = await showPage('/login/signin')
  await user.type(screen.getByLabelText(t('forms.email.label')), 'a@example.com')
  await user.type(screen.getByLabelText(t('login.signin.password.label')), 'secret words')
  await user.click(screen.getByRole('button', { name: t('login.signin.submit') }))
}

test('signing in opens the console for staff who chose it', async () => {
  answering(listFourEyes, [])
  answering(listNeedsAttention, [])
  answering(readDashboardMetrics, noFigures)
  await signInAs({ manageFinance: 1, opensConsole: true })
  expect(await screen.findByText(t('consoleHome.waiting.none'))).toBeVisible()
  expect(location.pathname).toBe('/console')
})

test('a page that required the sign-in comes first', async () => {
  sessionStorage.setItem('_afterLoginUrl', '/account/account-details')
  await signInAs({ manageFinance: 1, opensConsole: true })
  expect(await screen.findByRole('heading', { name: t('orders.heading') })).toBeVisible()
})

test('without the choice, signing in leads staff to the account', async () => {
  await signInAs({ manageFinance: 1 })
  expect(await screen.findByRole('heading', { name: t('orders.heading') })).toBeVisible()
})
