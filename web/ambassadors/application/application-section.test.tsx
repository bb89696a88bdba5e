// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { applyAsAmbassador } from '#contract/people/ambassadors.ts'
import { missing, show } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { ApplicationSection } from './application-section.tsx'

const t = wordsOf('en')
const label = (name: string) => `ambassador.form.${name}.label`
const field = (name: string) => screen.getByLabelText(t(label(name)), { exact: false })
const submit = () => screen.getByRole('button', { name: t('ambassador.form.submit') })
const required = ['email', 'name', 'city', 'country']

async function fillIn() {
  const { user } = show(<ApplicationSection />)
  await user.type(field('email'), 'a@example.com')
  await user.type(field('name'), 'Wei Chen')
  await user.type(field('city'), 'Taipei')
  await user.type(field('country'), 'Taiwan')
  return user
}

test('counts down required fields at the button, and marks optional ones', async () => {
  const { user } = show(<ApplicationSection />)
  expect(submit()).toHaveAccessibleDescription(missing(t, ...required.map(label)))
  for (const name of ['social', 'why']) expect(field(name)).toHaveAccessibleName(/optional/i)
  await user.type(field('email'), 'a@example.com')
  expect(submit()).toHaveAccessibleDescription(missing(t, ...required.slice(1).map(label)))
})

test('sends the shape of the contract, and a thank-you message replaces the form', async () => {
  answering(applyAsAmbassador, { received: true })
  const user = await fillIn()
  await user.type(field('social'), 'one, two')
  await user.click(submit())
  const focused = await screen.findByRole('heading', { name: t('ambassador.thanks.heading') })
  await waitFor(() => expect(focused).toHaveFocus())
  expect(callsOf(applyAsAmbassador)[0]!.body).toEqual({
    email: 'a@example.com',
    fullName: 'Wei Chen',
    city: 'Taipei',
    country: 'Taiwan',
    socialMedia: ['one', 'two'],
    description: '',
  })
})

test('while sending the button is busy and ignores a second click', async () => {
  holding(applyAsAmbassador, { received: true })
  const user = await fillIn()
  await user.click(submit())
  expect(await screen.findByRole('button', { name: t('forms.sending') })).toBeDisabled()
})

test('an error stays at the email field until it is left, and no input is lost', async () => {
  unreachable(applyAsAmbassador)
  const user = await fillIn()
  await user.click(submit())
  const said = await screen.findByText(t('errors.offline'), { exact: false })
  await waitFor(() => expect(field('email')).toHaveFocus())
  expect(field('email')).toHaveAccessibleDescription(expect.stringContaining(said.textContent))
  expect(field('email')).toHaveValue('a@example.com')
  expect(field('country')).toHaveValue('Taiwan')
  await user.tab()
  expect(field('email')).not.toHaveAttribute('aria-invalid')
})
