// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  decideKycCase,
  getKycCase,
  reverseKycRejection,
  listKycCaseEvents,
  type KycCaseDetail,
} from '#contract/people/kyc-review.ts'
import { aKycCase } from '#tests/setup/a-kyc-case.ts'
import { show } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { CaseView } from '../case-view.tsx'

const t = wordsOf('en')
const officer = (name: string) => ({ id: name, name })
const photo = {
  n: 0,
  bytes: 1,
  verdict: 'accepted' as const,
  reason: '',
  note: '',
  round: 1,
  isReplaced: false,
}
const gone = aKycCase({
  firstName: '',
  email: '',
  photoCount: 0,
  photos: [],
  possibleMatches: null,
  status: 'in_review',
  isDeleted: true,
  finalProposedBy: officer('Two'),
  finalProposedAt: '2026-11-20T00:00:00.000Z',
  finalProposedReason: 'Forged.',
})
const read = aKycCase({
  photoCount: 0,
  photos: [photo],
  screeningReadAt: '2026-11-20T00:00:00.000Z',
  approvalTakesTwo: true,
})

function showCase() {
  answering(listKycCaseEvents, [])
  return show(
    <CaseView
      id={gone._id}
      queue={{}}
      known={undefined}
      previous={undefined}
      next={undefined}
      nextToDecide={undefined}
      usualHours={null}
      officerId="me"
      mayDecide
      drafts={new Map()}
      onChanged={() => {}}
      onStep={() => {}}
      onKeys={() => {}}
    />,
  )
}
async function open(kycCase: KycCaseDetail) {
  answering(getKycCase, kycCase)
  const opened = showCase()
  await screen.findByRole('heading', { name: t('review.facts') })
  return opened
}
const button = (key: string) => screen.getByRole('button', { name: t(key) })
const radio = (key: string) => screen.queryByRole('radio', { name: (name) => name.startsWith(t(key)) })

test('a proposal whose applicant deleted the data is confirmed with its reason, after a preview', async () => {
  answering(decideKycCase, { ...gone, status: 'rejected', isFinal: true })
  const { user } = await open(gone)
  expect(screen.getByRole('heading', { level: 1, name: t('review.deleted') })).toBeVisible()
  expect(screen.getByText(/Two proposed a final rejection on/)).toBeVisible()
  // No other action is offered, and there is nothing to compare.
  expect(screen.queryByRole('button', { name: new RegExp(`^${t('review.take')}`) })).toBeNull()
  expect(screen.queryByRole('heading', { name: t('review.screening') })).toBeNull()
  expect(screen.getAllByRole('radio')).toHaveLength(2)
  await user.click(radio('review.final')!)
  expect(screen.getByRole('textbox', { name: t('review.reason') })).toHaveValue('Forged.')
  await user.click(button('review.final.do'))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByRole('blockquote')).toHaveTextContent('Forged.')
  await user.click(dialog.getByRole('button', { name: t('review.confirm.final.do') }))
  expect(await screen.findByText(t('review.done.rejected'))).toBeVisible()
  expect(callsOf(decideKycCase).map(({ body }) => body)).toEqual([
    { status: 'rejected', isFinal: true, round: 1, reason: 'Forged.' },
  ])
})

test('it is dismissed with a reason for officers only', async () => {
  answering(reverseKycRejection, { ...gone, finalProposedBy: null, finalProposedReason: '' })
  const { user } = await open(gone)
  await user.click(radio('review.proposal.drop')!)
  expect(button('review.proposal.drop')).toBeDisabled()
  await user.type(screen.getByRole('textbox', { name: t('review.lift.reason') }), 'A twin.')
  await user.click(button('review.proposal.drop'))
  expect(await screen.findByText(t('review.proposal.dropped'))).toBeVisible()
  expect(callsOf(reverseKycRejection).map(({ body }) => body)).toEqual([{ reason: 'A twin.' }])
})

test('its author waits for the second officer', async () => {
  await open({ ...gone, finalProposedBy: officer('me') })
  expect(screen.getByText(/^You proposed a final rejection on/)).toBeVisible()
  expect(screen.queryByRole('radio')).toBeNull()
})

test('an approval despite a final refusal says that it requires two officers, and that the applicant is not notified yet', async () => {
  answering(decideKycCase, { ...read, status: 'in_review', approvalProposedBy: officer('me') })
  const { user } = await open(read)
  await user.click(radio('review.approve')!)
  expect(screen.getByText(t('review.approve.help.two'))).toBeVisible()
  await user.click(button('review.approve.propose'))
  const title = t('review.confirm.approve.first', { name: 'Sample Person' })
  const dialog = within(screen.getByRole('dialog', { name: title }))
  await user.click(dialog.getByRole('button', { name: t('review.confirm.propose.do') }))
  expect(await screen.findByText(t('review.done.approvalProposed'))).toBeVisible()
})

test("the second approval takes effect, and the first officer can't give it", async () => {
  await open({ ...read, approvalProposedBy: officer('Two') })
  expect(screen.getByText(t('review.approvalProposed', { name: 'Two' }))).toBeVisible()
  expect(radio('review.approve')).toHaveAccessibleName(/Two/)
  cleanup()
  await open({ ...read, approvalProposedBy: officer('me') })
  expect(screen.getByText(t('review.approvalProposed.mine'))).toBeVisible()
  expect(radio('review.approve')).toBeNull()
})

test('the officer who finally refused the other application reads that others must approve this one', async () => {
  await open({ ...read, isApprovalBarred: true })
  expect(screen.getByText(t('review.approve.barred'))).toBeVisible()
  expect(radio('review.approve')).toBeNull()
  expect(radio('review.final')).toBeVisible()
})

test('an officer whose own application shares data with it reads that others handle it, and gets no actions', async () => {
  for (const status of ['submitted', 'approved'] as const) {
    await open({ ...read, status, isBarred: true })
    expect(screen.getByText(t('review.barred'))).toBeVisible()
    expect(screen.queryByRole('radio')).toBeNull()
    for (const key of ['review.take', 'review.takeOver', 'review.withdraw'])
      expect(screen.queryByRole('button', { name: (name) => name.startsWith(t(key)) })).toBeNull()
    cleanup()
  }
})

test('the officer who proposed to lift a refusal can withdraw the proposal', async () => {
  const refused = { status: 'rejected' as const, isFinal: true, photoCount: 0 }
  answering(reverseKycRejection, { ...aKycCase(refused), liftProposedBy: null })
  const { user } = await open(aKycCase({ ...refused, liftProposedBy: officer('me') }))
  await user.click(button('review.lift.takeBack'))
  expect(await screen.findByText(t('review.lift.takenBack'))).toBeVisible()
  expect(callsOf(reverseKycRejection)[0]!.body).toEqual({ isTakenBack: true })
})

test('a refusal decided by two requires two to lift, even if the setting was switched off since', async () => {
  const refused = { status: 'rejected' as const, isFinal: true, isFourEyesRequired: false }
  await open({ ...aKycCase(refused), photoCount: 0, finalProposedBy: officer('Two') })
  expect(screen.getByText(t('review.lift.help.two'))).toBeVisible()
  expect(button('review.lift.propose')).toBeVisible()
  cleanup()
  await open({ ...aKycCase(refused), photoCount: 0 })
  expect(button('review.lift.do')).toBeVisible()
})

test("an officer's own case says that another officer decides", async () => {
  refusing(getKycCase, 'forbidden')
  showCase()
  expect(await screen.findByText(t('review.own'))).toBeVisible()
})
