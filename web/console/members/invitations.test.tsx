// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  createStaffInvitation,
  listStaffInvitations,
  revokeStaffInvitation,
  type StaffInvitation,
} from '#contract/people/staff-invitations.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const rights = {
  isWriteAccessAdmin: false,
  manageNews: 0,
  manageEmployee: 1,
  manageFinance: 2,
  manageCoins: 0,
} as const
const invitation: StaffInvitation = {
  id: 'i1',
  memberId: 'm1',
  email: 'new@example.org',
  ...rights,
  state: 'open',
  invitedBy: 'Ada (ada@example.org)',
  sentAt: '2036-05-01T10:00:00.000Z',
  expiresAt: '2036-05-08T10:00:00.000Z',
}

async function onInvitationsPage() {
  await signedIn({ isWriteAccessAdmin: true })
  answering(listStaffInvitations, [invitation])
  const { user } = await showPage('/console/members/invitations')
  await screen.findByText(invitation.email)
  return user
}

test('a role fills in the levels, and what is missing or refused is shown in the dialog', async () => {
  const user = await onInvitationsPage()
  await user.click(screen.getByRole('button', { name: t('consoleMembers.invite') }))
  const dialog = within(screen.getByRole('dialog'))
  const send = dialog.getByRole('button', { name: t('consoleMembers.invite.send') })
  await user.click(send)
  expect(dialog.getByText(t('field.required'))).toBeVisible()
  expect(dialog.getByText(t('consoleMembers.invite.noRight'))).toBeVisible()
  expect(callsOf(createStaffInvitation)).toEqual([])

  const address = dialog.getByLabelText(t('consoleMembers.invitations.email'))
  await user.type(address, invitation.email)
  await user.selectOptions(dialog.getByLabelText(t('consoleMembers.invite.role')), 'finance')
  refusing(createStaffInvitation, 'validation_failed', {
    errors: [{ path: 'email', code: 'has_account', message: t('field.has_account') }],
  })
  await user.click(send)
  expect(await dialog.findByText(t('field.has_account'))).toBeVisible()
  expect(address).toHaveValue(invitation.email)

  answering(createStaffInvitation, invitation)
  await user.click(send)
  expect(await screen.findByText(t('consoleMembers.invite.done', { email: invitation.email }))).toBeVisible()
  expect(callsOf(createStaffInvitation).at(-1)!.body).toEqual({
    email: invitation.email,
    language: 'en',
    ...rights,
  })
})

test('an open invitation is revoked after a confirmation', async () => {
  const user = await onInvitationsPage()
  await user.click(screen.getByRole('button', { name: t('consoleMembers.invitations.revoke') }))
  answering(revokeStaffInvitation, { ...invitation, state: 'revoked' })
  answering(listStaffInvitations, [{ ...invitation, state: 'revoked' }])
  const dialog = within(screen.getByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: t('consoleMembers.invitations.revoke.do') }))
  expect(
    await within(await screen.findByRole('table')).findByText(t('consoleMembers.invitations.state.revoked')),
  ).toBeVisible()
  expect(screen.queryByRole('button', { name: t('consoleMembers.invitations.revoke') })).toBeNull()
})
