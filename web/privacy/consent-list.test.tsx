// @vitest-environment happy-dom
import { act, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listConsents, type ConsentState } from '#contract/people/consents.ts'
import { expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { consentAnswer } from '../consents/consent-answer.ts'
import { ConsentList } from './consent-list.tsx'

const t = wordsOf('en')
const inNewTab = (name: string) => `${name} ${t('layout.newTab')}`
const given: ConsentState['given'] = [
  { document: 'terms', version: '2026-03-01', at: '2026-03-05T12:00:00.000Z', place: 'sign-up' },
]
const terms = { name: inNewTab(t('consents.terms', { date: 'March\u{A0}1, 2026' })) }

beforeEach(async () => {
  consentAnswer.set({ memberId: undefined, isAccepted: false })
  await signedIn()
})

test('lists each accepted version as a link to its text, with the time of acceptance', async () => {
  answering(listConsents, { given, due: [] })
  show(<ConsentList />)
  const said = within(await screen.findByRole('definition'))
  expect(said.getByRole('link', terms)).toHaveAttribute('href', '/legal/terms')
  expect(screen.getByRole('term')).toHaveTextContent(/Mar 5, 2026/)
})

test('says so if nothing was accepted yet', async () => {
  answering(listConsents, { given: [], due: [] })
  show(<ConsentList />)
  expect(await screen.findByText(t('account.consents.none'))).toBeVisible()
})

test('a version accepted on this page is added to the list', async () => {
  answering(listConsents, { given: [], due: [] })
  show(<ConsentList />)
  await screen.findByText(t('account.consents.none'))
  answering(listConsents, { given, due: [] })
  act(() => consentAnswer.set({ memberId: 'the member', isAccepted: true }))
  expect(await screen.findByRole('link', terms)).toBeVisible()
})

test("a list that can't be loaded is announced, with a retry", async () => {
  unreachable(listConsents)
  const { user } = show(<ConsentList />)
  await expectAlert(t('account.consents.loadFailed'))
  answering(listConsents, { given, due: [] })
  await user.click(screen.getByRole('button', { name: t('forms.retry') }))
  expect(await screen.findByRole('link', terms)).toBeVisible()
})
