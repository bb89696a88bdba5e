// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { beginStepUp, renewRecoveryCodes, stepUp, type ProofKind } from '#contract/people/sessions.ts'
import { expectAlert, missing, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'

const t = wordsOf('en')
const codes = { recoveryCodes: ['a-code'] }
const proved = { provedUntil: '2036-01-01T00:00:00.000Z' }
const passkey = {
  challenge: 'AAAA',
  timeout: 60_000,
  rpId: 'example.com',
  allowCredentials: [],
  userVerification: 'required',
} as never

const dialog = () => within(screen.getByRole('dialog', { name: t('stepUp.heading') }))
const button = (label: string) => dialog().getByRole('button', { name: t(label) })
const field = (label: string) => dialog().getByLabelText(t(label))
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

const opened = () => screen.findByRole('dialog', { name: t('stepUp.heading') })

/** A request that requires step-up authentication and succeeds once the member has completed it. */
async function protectedCall(kinds: ProofKind[] = ['password'], hasPasskey = false) {
  await signedIn()
  answering(beginStepUp, { kinds, passkey: hasPasskey ? passkey : null })
  refusing(renewRecoveryCodes, 'step_up_required', { message: 'Prove it.' })
  const { user } = show(null)
  const waiting = call(renewRecoveryCodes, { body: {} }).catch((failure: Error) => failure.message)
  await opened()
  return { user, waiting }
}

const passwordField = () => dialog().findByLabelText(t('stepUp.password.label'))

test('the correct password closes the dialog, and the call succeeds', async () => {
  const { user, waiting } = await protectedCall()
  const password = await passwordField()
  await waitFor(() => expect(password).toHaveFocus())
  expect(button('stepUp.submit')).toHaveAccessibleDescription(missing(t, 'stepUp.password.label'))
  const release = holding(stepUp, proved)
  await user.type(password, 'secret words')
  await user.click(button('stepUp.submit'))
  expect(button('stepUp.busy')).toBeDisabled()
  answering(renewRecoveryCodes, codes)
  release()
  expect(await waiting).toEqual(codes)
  await isClosed()
  expect(callsOf(stepUp).map(({ body }) => body)).toEqual([{ password: 'secret words' }])
})

test('a wrong password is announced in the dialog, which stays open with the input', async () => {
  const { user } = await protectedCall()
  refusing(stepUp, 'credentials_invalid')
  await user.type(await passwordField(), 'secret words')
  await user.click(button('stepUp.submit'))
  await expectAlert(t('stepUp.password.wrong'))
  expect(field('stepUp.password.label')).toHaveValue('secret words')
  expect(button('stepUp.submit')).toBeEnabled()
})

test('Cancel closes the dialog, and the call fails without an error message', async () => {
  const { user, waiting } = await protectedCall()
  await passwordField()
  await user.click(button('forms.cancel'))
  expect(await waiting).toBe('')
  await isClosed()
  expect(callsOf(renewRecoveryCodes)).toHaveLength(1)
})

test('concurrent calls that need a proof ask once, and both succeed', async () => {
  const { user, waiting } = await protectedCall()
  const second = call(renewRecoveryCodes, { body: {} })
  await waitFor(() => expect(callsOf(renewRecoveryCodes)).toHaveLength(2))
  answering(stepUp, proved)
  await user.type(await passwordField(), 'secret words')
  answering(renewRecoveryCodes, codes)
  await user.click(button('stepUp.submit'))
  expect(await Promise.all([waiting, second])).toEqual([codes, codes])
  expect(callsOf(beginStepUp)).toHaveLength(1)
})

test.each([
  ['an authenticator app', ['totp', 'recovery'], 'stepUp.code.help'],
  ['recovery codes alone', ['recovery'], 'stepUp.code.recoveryHelp'],
] as [string, ProofKind[], string][])(
  'with %s a code is the proof, and the password is not offered',
  async (_, kinds, help) => {
    const { user, waiting } = await protectedCall(kinds)
    const code = await dialog().findByLabelText(t('stepUp.code.label'))
    expect(dialog().queryByLabelText(t('stepUp.password.label'))).toBeNull()
    await waitFor(() => expect(code).toHaveFocus())
    expect(code).toHaveAccessibleDescription(expect.stringContaining(t(help)))
    refusing(stepUp, 'code_invalid', { message: 'Not that one.' })
    await user.type(code, '123456')
    await user.click(button('stepUp.submit'))
    await expectAlert('Not that one.')
    expect(code).toHaveValue('123456')
    answering(stepUp, proved)
    answering(renewRecoveryCodes, codes)
    await user.click(button('stepUp.submit'))
    expect(await waiting).toEqual(codes)
  },
)

test('without a second factor only the password is offered', async () => {
  await protectedCall()
  await passwordField()
  expect(dialog().queryByRole('button', { name: t('stepUp.other.code') })).toBeNull()
  expect(dialog().queryByRole('button', { name: t('stepUp.other.passkey') })).toBeNull()
})

test("a device that can't use its passkey says so, and the alternatives remain", async () => {
  const { user } = await protectedCall(['passkey', 'recovery'], true)
  await user.click(await dialog().findByRole('button', { name: t('passkey.use') }))
  await expectAlert(t('passkey.unsupported'))
  await user.click(button('stepUp.other.code'))
  expect(field('stepUp.code.label')).toBeVisible()
})

test("a check that can't start is announced, and can be retried or declined", async () => {
  await signedIn()
  unreachable(beginStepUp)
  refusing(renewRecoveryCodes, 'step_up_required', { message: 'Prove it.' })
  const { user } = show(null)
  const waiting = call(renewRecoveryCodes, { body: {} }).catch((failure: Error) => failure.message)
  await expectAlert(t('stepUp.failed'))
  answering(beginStepUp, { kinds: ['password'], passkey: null })
  await user.click(button('forms.retry'))
  expect(await passwordField()).toBeVisible()
  await user.click(button('forms.cancel'))
  expect(await waiting).toBe('')
})

test('after a cancellation, the dialog that asked shows no error and can try again', async () => {
  await signedIn()
  answering(beginStepUp, { kinds: ['password'], passkey: null })
  refusing(renewRecoveryCodes, 'step_up_required', { message: 'Prove it.' })
  const { user } = show(
    <ConfirmDialog
      title="Renew the codes?"
      label="Renew"
      step={() => call(renewRecoveryCodes, { body: {} })}
      onDone={() => {}}
      onClose={() => {}}
    >
      Old codes stop working.
    </ConfirmDialog>,
  )
  const asking = within(screen.getByRole('dialog', { name: 'Renew the codes?' }))
  await user.click(asking.getByRole('button', { name: 'Renew' }))
  await opened()
  await passwordField()
  await user.click(button('forms.cancel'))
  await waitFor(() => expect(asking.getByRole('button', { name: 'Renew' })).toBeEnabled())
  expect(asking.getByRole('alert')).toBeEmptyDOMElement()
  await user.click(asking.getByRole('button', { name: 'Renew' }))
  expect(await opened()).toBeVisible()
  await user.click(button('forms.cancel'))
})

test('the dialog uses the language of the page', async () => {
  const cn = wordsOf('cn')
  await signedIn()
  answering(beginStepUp, { kinds: ['password'], passkey: null })
  refusing(renewRecoveryCodes, 'step_up_required')
  const { user } = show(null, 'cn')
  void call(renewRecoveryCodes, { body: {} }).catch(() => {})
  const asked = within(await screen.findByRole('dialog', { name: cn('stepUp.heading') }))
  expect(await asked.findByLabelText(cn('stepUp.password.label'))).toBeVisible()
  await user.click(asked.getByRole('button', { name: cn('forms.cancel') }))
})
