// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  requestAccountRecovery,
  cancelRecoveryRequest,
  type RecoveryState,
} from '#contract/people/account-recovery.ts'
import { signIn } from '#contract/people/sessions.ts'
import { expectAlert, showPage } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

async function atTheSecondStep(lostFactor?: RecoveryState, language: 'en' | 'cn' = 'en') {
  const t = wordsOf(language)
  refusing(signIn, 'second_factor_required', {
    secondFactor: { kinds: ['totp'], ...(lostFactor && { lostFactor }) },
  })
  const { user } = await showPage('/login/signin', language)
  await user.type(screen.getByLabelText(t('forms.email.label')), 'a@example.com')
  await user.type(screen.getByLabelText(t('login.signin.password.label')), 'secret words')
  await user.click(screen.getByRole('button', { name: t('login.signin.submit') }))
  await screen.findByRole('heading', { name: t('login.factor.heading') })
  return { user, t }
}

test.each(['en', 'cn'] as const)(
  'a member who lost all factors reads what happens, requests recovery, and sees its progress (%s)',
  async (language) => {
    const { user, t } = await atTheSecondStep(undefined, language)
    await user.click(screen.getByRole('button', { name: t('login.lost.begin') }))
    expect(screen.getByText(t('login.lost.text'))).toBeVisible()
    expect(callsOf(requestAccountRecovery)).toEqual([])
    answering(requestAccountRecovery, { state: 'asked', takesEffectAt: null })
    await user.click(screen.getByRole('button', { name: t('login.lost.ask') }))
    expect(await screen.findByText(t('login.lost.asked'))).toBeVisible()
    expect(callsOf(requestAccountRecovery).map(({ body }) => body)).toEqual([
      { email: 'a@example.com', password: 'secret words' },
    ])
  },
)

test('an open request is shown at once', async () => {
  await atTheSecondStep({ state: 'confirmed', takesEffectAt: '2036-05-03T10:00:00.000Z' })
  expect(screen.getByText(/removed on .*2036/)).toBeVisible()
  expect(screen.queryByRole('button', { name: wordsOf('en')('login.lost.begin') })).toBeNull()
})

test('a refusal of the request is announced', async () => {
  const { user, t } = await atTheSecondStep()
  await user.click(screen.getByRole('button', { name: t('login.lost.begin') }))
  refusing(requestAccountRecovery, 'rate_limited')
  await user.click(screen.getByRole('button', { name: t('login.lost.ask') }))
  await expectAlert('refused: rate_limited')
})

test('the emailed link stops the request on a click, not when it is opened', async () => {
  const t = wordsOf('en')
  const { user } = await showPage('/login/stop/r/the-code')
  expect(callsOf(cancelRecoveryRequest)).toEqual([])
  answering(cancelRecoveryRequest, { stopped: true })
  await user.click(screen.getByRole('button', { name: t('login.stop.submit') }))
  expect(await screen.findByText(t('login.stop.done'))).toBeVisible()
  expect(callsOf(cancelRecoveryRequest).map(({ body }) => body)).toEqual([{ id: 'r', code: 'the-code' }])
})

test.each([
  ['code_invalid', 'login.stop.wrong'],
  ['conflict', 'login.stop.late'],
] as const)('a link refused as %s says why', async (code, words) => {
  const t = wordsOf('en')
  const { user } = await showPage('/login/stop/r/the-code')
  refusing(cancelRecoveryRequest, code)
  await user.click(screen.getByRole('button', { name: t('login.stop.submit') }))
  await expectAlert(t(words))
})
