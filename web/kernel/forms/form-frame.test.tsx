// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Language } from '#contract/platform/fields.ts'
import { email, requiredLine } from '#contract/platform/fields.ts'
import { CallFailed } from '../call/call.ts'
import { isPageHeld, mayLeavePage } from '../navigation/unsaved.ts'
import { expectAlert, missing, show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { FormFrame } from './form-frame.tsx'
import { FormInput } from './form-input.tsx'
import { useContractForm } from './use-contract-form.ts'

const schema = z.object({ email, title: requiredLine(20) })
const labels = { email: 'forms.email.label', title: 'news.form.title' } as const

let submit = vi.fn<() => Promise<void>>()
afterEach(() => {
  vi.useRealTimers()
  submit = vi.fn<() => Promise<void>>()
})

function Form() {
  const of = useContractForm({
    schema,
    labels,
    defaultValues: { email: '', title: '' },
    submit: () => submit(),
  })
  return (
    <FormFrame of={of} submitLabel="Send" busyLabel="…" asksToLeave>
      <FormInput of={of} name="email" />
      <FormInput of={of} name="title" />
    </FormFrame>
  )
}

function fillIn(language: Language = 'en') {
  const t = wordsOf(language)
  const { user } = show(<Form />, language)
  const field = (name: keyof typeof labels) => screen.getByLabelText(t(labels[name]))
  const send = () => screen.getByRole('button', { name: 'Send' })
  const type = async (name: keyof typeof labels, text: string) => {
    await user.clear(field(name))
    await user.type(field(name), text)
  }
  return { t, user, field, send, type }
}

const failing = (...how: ConstructorParameters<typeof CallFailed>) =>
  void submit.mockRejectedValueOnce(new CallFailed(...how))

test.each(['en', 'cn'] as const)('in %s an invalid entry is not reported as missing', async (language) => {
  const { t, send, type } = fillIn(language)
  expect(send()).toHaveAccessibleDescription(missing(t, labels.email, labels.title))
  await type('email', 'nobody')
  const wrong = t('forms.wrong', { fields: t(labels.email) })
  expect(send()).toHaveAccessibleDescription(`${missing(t, labels.title)} ${wrong}`)
  await type('title', 'A title')
  expect(send()).toHaveAccessibleDescription(wrong)
  await type('email', 'a@b.example')
  expect(send()).toBeEnabled()
  expect(send()).not.toHaveAccessibleDescription()
})

async function sendRefused(...how: ConstructorParameters<typeof CallFailed>) {
  const filled = fillIn()
  await filled.type('email', 'a@b.example')
  await filled.type('title', 'A title')
  failing(...how)
  await filled.user.click(filled.send())
  await expectAlert(how[1])
  return filled
}
const alert = () => screen.getByRole('alert')

test('the message of a refusal disappears when the field changes', async () => {
  const { type } = await sendRefused('credentials_invalid', 'Wrong.')
  await type('title', 'Another')
  await waitFor(() => expect(alert()).toBeEmptyDOMElement())
})

test.each(['offline', 'maintenance'] as const)(
  'the message that nothing was sent stays with a retry button until it succeeds: %s',
  async (code) => {
    const { t, user, type } = await sendRefused(code, 'No connection.')
    await type('title', 'Another')
    expect(alert()).toHaveTextContent('No connection.')
    await user.click(screen.getByRole('button', { name: t('forms.retry') }))
    await waitFor(() => expect(alert()).toBeEmptyDOMElement())
    expect(submit).toHaveBeenCalledTimes(2)
  },
)

test('the message of a waiting time stays during typing and disappears when it is over', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  const { type } = await sendRefused('rate_limited', 'Wait.', { retryAfterSeconds: 890 })
  await type('title', 'Another')
  expect(alert()).toHaveTextContent('Wait.')
  await act(() => vi.advanceTimersByTimeAsync(890_000))
  await waitFor(() => expect(alert()).toBeEmptyDOMElement())
})

test.each(['en', 'cn'] as const)(
  'in %s leaving a page with input asks first, and “stay” keeps the input',
  async (language) => {
    const { t, user, field, type } = fillIn(language)
    expect(isPageHeld()).toBe(false)
    await type('title', 'A title')
    expect(isPageHeld()).toBe(true)
    const leaving = () => {
      let left: Promise<boolean> | undefined
      act(() => void (left = mayLeavePage()))
      return left!
    }
    const answer = async (key: string) => user.click(await screen.findByRole('button', { name: t(key) }))
    const stays = leaving()
    expect(await screen.findByRole('dialog', { name: t('forms.leave.title') })).toBeVisible()
    await answer('forms.leave.stay')
    expect(await stays).toBe(false)
    expect(field('title')).toHaveValue('A title')
    const first = leaving()
    const second = leaving()
    await answer('forms.leave.leave')
    expect(await Promise.all([first, second])).toEqual([false, true])
  },
)

test('the browser warns before closing a tab with unsent input', async () => {
  const { user, field, type } = fillIn()
  const close = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(close()).toBe(false)
  await type('title', 'A title')
  expect(close()).toBe(true)
  await user.clear(field('title'))
  await waitFor(() => expect(close()).toBe(false))
})

test('an error on blur waits for the click of the press that took the focus', async () => {
  const { t, field } = fillIn()
  act(() => field('email').focus())
  fireEvent.pointerDown(document.body)
  act(() => field('email').blur())
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(screen.queryByText(t('FormErrors.FieldRequiredError'))).toBeNull()
  fireEvent.click(document.body)
  expect(await screen.findByText(t('FormErrors.FieldRequiredError'))).toBeVisible()
})
