// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  approveRecoveryRequest,
  rejectRecoveryRequest,
  listRecoveryRequests,
  verifyRecoveryRequest,
  type RecoveryRequest,
} from '#contract/people/account-recovery.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const asked: RecoveryRequest = {
  id: 'r',
  member: { id: 'm2', email: 'ada@example.com', name: 'Ada' },
  state: 'asked',
  takesEffectAt: null,
  askedAt: '2036-05-01T10:00:00.000Z',
  openedBy: null,
  openedAt: null,
  how: '',
  confirmedBy: null,
}
const opened = (by: string): RecoveryRequest => ({
  ...asked,
  state: 'opened',
  openedBy: { id: by, name: 'Grace' },
  openedAt: '2036-05-02T10:00:00.000Z',
  how: 'In person, with the passport.',
})

async function showRequests(...requests: RecoveryRequest[]) {
  await signedIn({ id: 'me', manageEmployee: 2 })
  answering(listRecoveryRequests, requests)
  return showPage('/console/lost-factors')
}
const button = (label: string) => screen.findByRole('button', { name: t(label) })

test('the first staff member records how the identity was checked, and reads that another one must confirm', async () => {
  const { user } = await showRequests(asked)
  const field = await screen.findByLabelText(t('lostFactors.how'))
  expect(await button('lostFactors.open')).toBeDisabled()
  answering(verifyRecoveryRequest, opened('me'))
  await user.type(field, 'In person, with the passport.')
  await user.click(await button('lostFactors.open'))
  expect(await screen.findByText(t('lostFactors.another'))).toBeVisible()
  expect(callsOf(verifyRecoveryRequest).map(({ body }) => body)).toEqual([
    { id: 'r', how: 'In person, with the passport.' },
  ])
  expect(screen.queryByRole('button', { name: t('lostFactors.confirm') })).toBeNull()
})

test('another staff member reads the record, confirms, and sees when it takes effect', async () => {
  const { user } = await showRequests(opened('grace'))
  await user.click(await button('lostFactors.confirm'))
  const dialog = within(
    await screen.findByRole('dialog', { name: t('lostFactors.confirmTitle', { name: 'Ada' }) }),
  )
  expect(dialog.getByText('In person, with the passport.')).toBeVisible()
  answering(approveRecoveryRequest, {
    ...opened('grace'),
    state: 'confirmed',
    confirmedBy: { id: 'me', name: 'Me' },
    takesEffectAt: '2036-05-03T10:00:00.000Z',
  })
  await user.click(dialog.getByRole('button', { name: t('lostFactors.confirmDo') }))
  expect(await screen.findByText(t('lostFactors.state.confirmed'))).toBeVisible()
  expect(screen.getByText(/^Approved by Me/)).toBeVisible()
})

test('a refusal is shown in the dialog, which stays open', async () => {
  const { user } = await showRequests(opened('grace'))
  await user.click(await button('lostFactors.confirm'))
  refusing(approveRecoveryRequest, 'conflict')
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: t('lostFactors.confirmDo') }))
  expect(await dialog.findByText('refused: conflict')).toBeVisible()
})

test('a request is declined after a confirmation, and disappears', async () => {
  const { user } = await showRequests(asked)
  answering(rejectRecoveryRequest, { declined: true })
  answeringInTurn(listRecoveryRequests, [])
  await user.click(
    await screen.findByRole('button', { name: t('lostFactors.declineNamed', { name: 'Ada' }) }),
  )
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: t('lostFactors.declineDo') }))
  expect(await screen.findByText(t('lostFactors.none'))).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test("staff can't decide on their own request", async () => {
  await showRequests({ ...asked, member: { ...asked.member, id: 'me' } })
  expect(await screen.findByText(t('lostFactors.own'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('lostFactors.open') })).toBeNull()
  expect(screen.queryByRole('button', { name: /Reject/ })).toBeNull()
})
