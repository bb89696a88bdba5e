// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { acceptConsents, listConsents, type ConsentState } from '#contract/people/consents.ts'
import { expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { consentAnswer } from './consent-answer.ts'
import { ConsentSlot } from './consent-slot.tsx'

const t = wordsOf('en')
const inNewTab = (name: string) => `${name} ${t('layout.newTab')}`
const due: ConsentState['due'] = [
  { document: 'terms', version: '2026-03-01' },
  { document: 'privacy', version: '2026-04-02.2' },
]
const request = { name: t('consents.label') }
const button = (label: string) => screen.getByRole('button', { name: t(label) })

// The answer is stored until the tab is closed.
beforeEach(() => consentAnswer.set({ memberId: undefined, isAccepted: false }))

async function ask() {
  await signedIn()
  answering(listConsents, { given: [], due })
  const { user } = show(<ConsentSlot />)
  expect(await screen.findByRole('region', request)).toBeVisible()
  return user
}

/** Goes to another page in the same tab. */
const goOn = () => {
  cleanup()
  show(<ConsentSlot />)
}

test('each text to accept is a link with the date of its version', async () => {
  await ask()
  const terms = screen.getByRole('link', {
    name: inNewTab(t('consents.terms', { date: 'March\u{A0}1, 2026' })),
  })
  const privacy = screen.getByRole('link', {
    name: inNewTab(t('consents.privacy', { date: 'April\u{A0}2, 2026' })),
  })
  expect([terms, privacy].map((link) => link.getAttribute('href'))).toEqual([
    '/legal/terms',
    '/legal/privacy',
  ])
})

test('the request is not a dialog: it takes neither the focus nor the page', async () => {
  await ask()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.body).toHaveFocus()
})

test('accepting sends the versions shown, is busy meanwhile, and is confirmed', async () => {
  const release = holding(acceptConsents, { given: [], due: [] })
  const user = await ask()
  await user.click(button('consents.accept'))
  expect(button('consents.busy')).toBeDisabled()
  expect(button('consents.later')).toBeDisabled()
  release()
  expect(await screen.findByText(t('consents.done'))).toBeVisible()
  expect(screen.queryByRole('region', request)).toBeNull()
  expect(callsOf(acceptConsents).map(({ body }) => body)).toEqual([{ consents: due }])
})

test.each([
  [
    'refused',
    () => refusing(acceptConsents, 'rate_limited', { message: 'Later, please.' }),
    'Later, please.',
  ],
  ['lost', () => unreachable(acceptConsents), t('errors.offline')],
])('an answer that was %s is announced and can be repeated', async (_, fail, alert) => {
  fail()
  const user = await ask()
  await user.click(button('consents.accept'))
  await expectAlert(alert)
  answering(acceptConsents, { given: [], due: [] })
  await user.click(button('consents.accept'))
  expect(await screen.findByText(t('consents.done'))).toBeVisible()
})

test('Later accepts nothing, and the next page in this tab does not ask again', async () => {
  const user = await ask()
  await user.click(button('consents.later'))
  expect(screen.queryByRole('region', request)).toBeNull()
  goOn()
  expect(screen.queryByRole('region', request)).toBeNull()
  expect(callsOf(acceptConsents)).toEqual([])
  expect(callsOf(listConsents)).toHaveLength(1)
})

test('a member who accepted the current versions is not asked', async () => {
  await signedIn()
  answering(listConsents, { given: [], due: [] })
  show(<ConsentSlot />)
  await waitFor(() => expect(consentAnswer.get().memberId).toBeDefined())
  expect(screen.queryByRole('region', request)).toBeNull()
})

test("if the versions can't be checked nothing is shown, and the next page asks again", async () => {
  await signedIn()
  unreachable(listConsents)
  show(<ConsentSlot />)
  await waitFor(() => expect(callsOf(listConsents)).toHaveLength(1))
  expect(screen.queryByRole('region', request)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  answering(listConsents, { given: [], due })
  goOn()
  expect(await screen.findByRole('region', request)).toBeVisible()
})

test('a visitor is not asked', () => {
  show(<ConsentSlot />)
  expect(screen.queryByRole('region', request)).toBeNull()
})
