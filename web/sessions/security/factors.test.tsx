// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { requestVerificationCode, verifyEmail } from '#contract/people/members.ts'
import { listPasskeys, removePasskey, renamePasskey, type Passkey } from '#contract/people/passkeys.ts'
import {
  beginTotp,
  confirmTotp,
  getFactors,
  removeTotp,
  renewRecoveryCodes,
} from '#contract/people/sessions.ts'
import { expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, holding, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { Factors } from './factors.tsx'

const t = wordsOf('en')
const button = (key: string, values = {}) => screen.getByRole('button', { name: t(key, values) })
const laptop: Passkey = {
  id: '0198f0a0-0000-7000-8000-000000000005',
  name: 'Laptop',
  createdAt: '2026-11-01T10:00:00.000Z',
  lastUsedAt: null,
  synced: true,
}
const recoveryCodes = Array.from({ length: 10 }, (_, n) => `code-${n}`)
const none = { totp: false, passkeys: 0, recoveryCodesLeft: 0, mailboxProved: true }
const withApp = { ...none, totp: true, recoveryCodesLeft: 10 }

async function factors(state = none, passkeys: Passkey[] = []) {
  await signedIn()
  answering(getFactors, state)
  answering(listPasskeys, passkeys)
  const { user } = show(<Factors email="member@example.com" />)
  await screen.findByRole('heading', { name: t('security.passkeys.heading') })
  return user
}

test('setting up an app by QR code or text brings recovery codes, which get the focus', async () => {
  const user = await factors()
  answeringInTurn(getFactors, withApp)
  answering(beginTotp, { secret: 'ABCDEFGHIJKLMNOP', otpauthUrl: 'otpauth://totp/x?secret=ABCDEFGHIJKLMNOP' })
  answering(confirmTotp, { recoveryCodes })
  await user.click(button('security.factor.begin'))
  expect(await screen.findByRole('img', { name: t('security.factor.qr') })).toBeVisible()
  expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeVisible()
  expect(button('security.factor.confirm')).toBeDisabled()
  await user.type(screen.getByLabelText(t('login.factor.label')), '123456')
  await user.click(button('security.factor.confirm'))
  expect(await screen.findByText(t('security.codes.heading'))).toBeVisible()
  for (const code of recoveryCodes) expect(screen.getByText(code)).toBeVisible()
  await waitFor(() => expect(screen.getByText(recoveryCodes[0]!).closest('[tabindex="-1"]')).toHaveFocus())
  expect(callsOf(confirmTotp)[0]!.body).toEqual({ code: '123456' })
  await user.click(button('security.codes.done'))
  expect(screen.getByText(t('security.recovery.left', { count: 10 }))).toBeVisible()
  expect(screen.queryByText(recoveryCodes[0]!)).toBeNull()
})

test('a wrong code is announced, and the setup continues', async () => {
  const user = await factors()
  answering(beginTotp, { secret: 'ABCDEFGHIJKLMNOP', otpauthUrl: 'otpauth://totp/x?secret=ABCDEFGHIJKLMNOP' })
  refusing(confirmTotp, 'code_invalid')
  await user.click(button('security.factor.begin'))
  await user.type(await screen.findByLabelText(t('login.factor.label')), '000000')
  await user.click(button('security.factor.confirm'))
  await expectAlert(t('login.factor.wrong'))
  expect(screen.getByLabelText(t('login.factor.label'))).toHaveValue('000000')
  expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeVisible()
})

test("a setup that can't start says why, and can be retried", async () => {
  const user = await factors()
  unreachable(beginTotp)
  await user.click(button('security.factor.begin'))
  await expectAlert(t('errors.offline'))
  expect(button('security.factor.begin')).toBeEnabled()
})

test('an app is removed with one of its codes', async () => {
  const user = await factors(withApp)
  answering(removeTotp, { removed: true })
  await user.click(button('security.factor.remove'))
  await user.type(screen.getByLabelText(t('login.factor.label')), '123456')
  answering(getFactors, none)
  await user.click(button('security.factor.removeConfirm'))
  expect(await screen.findByText(t('security.factor.removed'))).toBeVisible()
  expect(await screen.findByRole('button', { name: t('security.factor.begin') })).toBeVisible()
  expect(callsOf(removeTotp)[0]!.body).toEqual({ code: '123456' })
})

test('warns when few codes are left; new ones are requested and shown', async () => {
  const user = await factors({ ...withApp, recoveryCodesLeft: 2 })
  expect(screen.getByText(t('security.recovery.few'))).toBeVisible()
  const answer = holding(renewRecoveryCodes, { recoveryCodes })
  await user.click(button('security.recovery.renew'))
  expect(screen.getByRole('button', { name: t('security.recovery.renew') })).toBeDisabled()
  answer()
  expect(await screen.findByText(t('security.codes.headingRenewed'))).toBeVisible()
})

test('a passkey is renamed in place, in a focused field with its old name', async () => {
  const user = await factors({ ...none, passkeys: 1 }, [laptop])
  answering(renamePasskey, { ...laptop, name: 'Desk' })
  await user.click(button('security.passkeys.renameNamed', { name: 'Laptop' }))
  const field = screen.getByLabelText(t('security.passkeys.name'))
  await waitFor(() => expect(field).toHaveFocus())
  expect(field).toHaveValue('Laptop')
  await user.clear(field)
  await user.type(field, 'Desk')
  await user.click(button('security.passkeys.save'))
  expect(await screen.findByText('Desk')).toBeVisible()
  expect(callsOf(renamePasskey)[0]!.body).toEqual({ id: laptop.id, name: 'Desk' })
})

test('the last factor is removed only after a warning', async () => {
  const user = await factors({ ...none, passkeys: 1 }, [laptop])
  answering(removePasskey, { removed: true })
  await user.click(button('security.passkeys.removeNamed', { name: 'Laptop' }))
  const dialog = within(
    await screen.findByRole('dialog', { name: t('security.passkeys.removeHeading', { name: 'Laptop' }) }),
  )
  expect(dialog.getByText(t('security.passkeys.removeLast'))).toBeVisible()
  await user.click(dialog.getByRole('button', { name: t('forms.cancel') }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(callsOf(removePasskey)).toEqual([])
  await user.click(button('security.passkeys.removeNamed', { name: 'Laptop' }))
  answering(listPasskeys, [])
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: t('security.passkeys.remove') }),
  )
  expect(await screen.findByText(t('security.passkeys.removed'))).toBeVisible()
  await waitFor(() => expect(screen.queryByText('Laptop')).toBeNull())
})

test("factors that can't be loaded are reported, with a retry", async () => {
  await signedIn()
  unreachable(getFactors)
  answering(listPasskeys, [])
  const { user } = show(<Factors email="member@example.com" />)
  expect(await screen.findByText(t('security.factors.loadFailed'))).toBeVisible()
  answering(getFactors, none)
  await user.click(screen.getByRole('button', { name: t('forms.retry') }))
  expect(await screen.findByRole('heading', { name: t('security.passkeys.heading') })).toBeVisible()
})

test('a member who activated in another way reads about the unverified email address, and verifies it', async () => {
  const user = await factors({ ...none, mailboxProved: false })
  expect(button('security.factor.begin')).toBeEnabled()
  expect(button('security.passkeys.add')).toBeEnabled()
  answering(requestVerificationCode, { sent: true })
  await user.click(button('security.mailbox.ask'))
  const field = await screen.findByLabelText(t('security.mailbox.code'))
  expect(field).toHaveFocus()
  expect(screen.getByRole('status')).toHaveTextContent('member@example.com')
  refusing(verifyEmail, 'code_invalid')
  await user.type(field, 'wrong')
  await user.click(button('security.mailbox.submit'))
  await expectAlert('code_invalid')
  await user.click(button('security.mailbox.again'))
  expect(await screen.findByText(t('security.mailbox.resent'))).toBeVisible()
  expect(callsOf(requestVerificationCode)).toHaveLength(2)
  answering(verifyEmail, { proved: true })
  await user.clear(field)
  await user.type(field, 'C0DE-5')
  await user.click(button('security.mailbox.submit'))
  expect(await screen.findByText(t('security.mailbox.done'))).toBeVisible()
  expect(screen.queryByRole('heading', { name: t('security.mailbox.heading') })).toBeNull()
})

test('with a factor, asks for the code that was emailed when the factor was added', async () => {
  const user = await factors({ ...withApp, mailboxProved: false })
  const field = screen.getByLabelText(t('security.mailbox.code'))
  expect(field).not.toHaveFocus()
  expect(screen.getByText(t('security.mailbox.mailed', { email: 'member@example.com' }))).toBeVisible()
  answering(verifyEmail, { proved: true })
  await user.type(field, 'C0DE-5')
  await user.click(button('security.mailbox.submit'))
  expect(await screen.findByText(t('security.mailbox.done'))).toBeVisible()
})

test("a code that can't be emailed is reported", async () => {
  const user = await factors({ ...none, mailboxProved: false })
  refusing(requestVerificationCode, 'rate_limited')
  await user.click(button('security.mailbox.ask'))
  await expectAlert('rate_limited')
  expect(button('security.mailbox.ask')).toBeEnabled()
})
