// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  antiPhishingPhraseLengthMax,
  getAntiPhishingPhrase,
  setAntiPhishingPhrase,
} from '#contract/people/members.ts'
import { expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { AntiPhishingPart } from './anti-phishing-part.tsx'

const t = wordsOf('en')
const phrase = () => screen.findByLabelText((text) => text.startsWith(t('account.phrase.label')))
const save = () => screen.getByRole('button', { name: t('account.phrase.save') })

async function open(saved = 'blue tea') {
  await signedIn()
  answering(getAntiPhishingPhrase, { phrase: saved })
  const { user } = show(<AntiPhishingPart />)
  return { user, field: await phrase() }
}

test('the field shows the saved phrase, with its limits', async () => {
  const { field } = await open()
  expect(field).toHaveValue('blue tea')
  expect(field).toHaveAccessibleDescription(
    expect.stringContaining(t('account.phrase.help', { max: antiPhishingPhraseLengthMax })),
  )
})

test('saving a new phrase is confirmed, and the button is busy meanwhile', async () => {
  const release = holding(setAntiPhishingPhrase, { phrase: 'green tea' })
  const { user, field } = await open()
  await user.clear(field)
  await user.type(field, 'green tea')
  await user.click(save())
  expect(screen.getByRole('button', { name: t('forms.saving') })).toBeDisabled()
  release()
  expect(await screen.findByText(t('account.phrase.saved'))).toBeVisible()
  expect(field).toHaveValue('green tea')
  expect(callsOf(setAntiPhishingPhrase).map(({ body }) => body)).toEqual([{ phrase: 'green tea' }])
})

test('an empty field removes the phrase and says so', async () => {
  answering(setAntiPhishingPhrase, { phrase: '' })
  const { user, field } = await open()
  await user.clear(field)
  await user.click(save())
  expect(await screen.findByText(t('account.phrase.removed'))).toBeVisible()
})

test('a phrase that is too long disables the button, and the field says why', async () => {
  const { user, field } = await open('a'.repeat(antiPhishingPhraseLengthMax))
  field.removeAttribute('maxlength')
  await user.type(field, 'a')
  await user.tab()
  expect(field).toHaveAccessibleDescription(
    expect.stringContaining(t('field.too_long', { max: antiPhishingPhraseLengthMax })),
  )
  expect(save()).toBeDisabled()
})

test.each([
  ['refused', () => refusing(setAntiPhishingPhrase, 'rate_limited', { message: 'Later.' }), 'Later.'],
  ['lost', () => unreachable(setAntiPhishingPhrase), t('errors.offline')],
])('a save that was %s is announced, and the input stays', async (_, fail, alert) => {
  fail()
  const { user, field } = await open()
  await user.type(field, ' at noon')
  await user.click(save())
  await expectAlert(alert)
  expect(field).toHaveValue('blue tea at noon')
  expect(save()).toBeEnabled()
})

test("a phrase that can't be loaded is reported instead of an empty field, with a retry", async () => {
  await signedIn()
  unreachable(getAntiPhishingPhrase)
  const { user } = show(<AntiPhishingPart />)
  await expectAlert(t('account.phrase.loadFailed'))
  expect(screen.queryByRole('textbox')).toBeNull()
  answering(getAntiPhishingPhrase, { phrase: 'blue tea' })
  await user.click(screen.getByRole('button', { name: t('forms.retry') }))
  await waitFor(async () => expect(await phrase()).toHaveValue('blue tea'))
})
