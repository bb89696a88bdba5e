// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { confirmNewEmail, stopEmailChange } from '#contract/people/members.ts'
import { expectAlert, showPage } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const link = { id: 'm1', code: 'the-code' }

test.each(['en', 'cn'] as const)(
  'the link to the new address confirms it on a click, not when it is opened, and says when it takes effect (%s)',
  async (language) => {
    const t = wordsOf(language)
    const { user } = await showPage('/login/email/confirm/m1/the-code', language)
    expect(screen.getByText(t('login.emailConfirm.lead'))).toBeVisible()
    expect(callsOf(confirmNewEmail)).toEqual([])
    answering(confirmNewEmail, { takesEffectAt: '2036-05-04T10:00:00.000Z' })
    await user.tab()
    while (document.activeElement?.textContent !== t('login.emailConfirm.submit')) await user.tab()
    await user.keyboard('{Enter}')
    expect(await screen.findByRole('status')).toHaveTextContent('2036')
    expect(screen.queryByRole('button', { name: t('login.emailConfirm.submit') })).toBeNull()
    expect(callsOf(confirmNewEmail).map(({ body }) => body)).toEqual([link])
  },
)

test('an address that changed at once is the one to sign in with', async () => {
  const t = wordsOf('en')
  const { user } = await showPage('/login/email/confirm/m1/the-code')
  answering(confirmNewEmail, { takesEffectAt: null })
  await user.click(screen.getByRole('button', { name: t('login.emailConfirm.submit') }))
  expect(await screen.findByText(t('login.emailConfirm.done'))).toBeVisible()
})

test.each(['en', 'cn'] as const)(
  'the link to the current address stops the change on a click (%s)',
  async (language) => {
    const t = wordsOf(language)
    const { user } = await showPage('/login/email/stop/m1/the-code', language)
    expect(callsOf(stopEmailChange)).toEqual([])
    answering(stopEmailChange, { stopped: true })
    await user.click(screen.getByRole('button', { name: t('login.emailStop.submit') }))
    expect(await screen.findByText(t('login.emailStop.done'))).toBeVisible()
    expect(callsOf(stopEmailChange).map(({ body }) => body)).toEqual([link])
  },
)

test('a link that no longer works says why, and failures say what happened', async () => {
  const t = wordsOf('en')
  const { user } = await showPage('/login/email/stop/m1/the-code')
  refusing(stopEmailChange, 'code_invalid')
  await user.click(screen.getByRole('button', { name: t('login.emailStop.submit') }))
  await expectAlert(t('login.emailStop.wrong'))
  refusing(stopEmailChange, 'unavailable')
  await user.click(screen.getByRole('button', { name: t('login.emailStop.submit') }))
  await expectAlert('refused: unavailable')
})

test('a confirmation that is too late says so', async () => {
  const t = wordsOf('en')
  const { user } = await showPage('/login/email/confirm/m1/the-code')
  refusing(confirmNewEmail, 'code_invalid')
  await user.click(screen.getByRole('button', { name: t('login.emailConfirm.submit') }))
  await expectAlert(t('login.emailConfirm.wrong'))
})
