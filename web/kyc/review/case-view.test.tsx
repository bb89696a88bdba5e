// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  decideKycCase,
  getKycCase,
  reverseKycRejection,
  listKycCaseEvents,
  type KycCaseDetail,
} from '#contract/people/kyc-review.ts'
import { aKycCase } from '#tests/setup/a-kyc-case.ts'
import { expectAlert, show, type Shown } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { CaseView } from './case-view.tsx'
import type { Draft } from './decision/draft.ts'

const t = wordsOf('en')
const photoless = { photoCount: 0, photos: [], memberLanguage: 'en' as const }
const waiting = aKycCase(photoless)
const reason = () => screen.getByRole('textbox', { name: t('review.reason') })
const button = (key: string) => screen.getByRole('button', { name: t(key) })
const choose = ({ user }: Shown, key: string) =>
  user.click(screen.getByRole('radio', { name: (name) => name.startsWith(t(key)) }))

/** Opens the case with its states: the first one when it is opened, the others when it is loaded again. */
async function open(first: KycCaseDetail = waiting, ...states: KycCaseDetail[]) {
  answeringInTurn(getKycCase, first, ...states)
  answering(listKycCaseEvents, [])
  const drafts = new Map<string, Draft>()
  const onStep = vi.fn<() => void>()
  const kycCase = show(
    <CaseView
      id={waiting._id}
      queue={{}}
      known={undefined}
      previous={undefined}
      next={undefined}
      nextToDecide={undefined}
      usualHours={null}
      officerId="me"
      mayDecide
      drafts={drafts}
      onChanged={() => {}}
      onStep={onStep}
      onKeys={() => {}}
    />,
  )
  await screen.findByRole('heading', { name: t('review.facts') })
  return { ...kycCase, drafts, onStep }
}

test('a question is sent without confirmation once it says what is missing', async () => {
  answering(decideKycCase, { ...waiting, status: 'more_info' })
  const kycCase = await open()
  await choose(kycCase, 'review.more')
  expect(button('review.more.do')).toBeDisabled()
  await kycCase.user.type(reason(), '  ')
  expect(button('review.more.do')).toBeDisabled()
  await kycCase.user.type(reason(), 'Both sides.')
  await kycCase.user.click(button('review.more.do'))
  expect(await screen.findByText(t('review.done.more'))).toBeVisible()
  expect(callsOf(decideKycCase)).toMatchObject([
    { params: { id: 'c1' }, body: { status: 'more_info', isFinal: false, reason: '  Both sides.' } },
  ])
  expect(kycCase.onStep).toHaveBeenCalledOnce()
  expect(kycCase.drafts.size).toBe(0)
})

test('a refusal is previewed as the applicant will read it; cancelling sends and loses nothing', async () => {
  answering(decideKycCase, { ...waiting, status: 'rejected' })
  const kycCase = await open()
  await choose(kycCase, 'review.reject')
  expect(button('review.reject.do')).toBeDisabled()
  await kycCase.user.type(reason(), 'Not you.')
  await kycCase.user.type(screen.getByRole('textbox', { name: t('review.note') }), 'Look twice.')
  await kycCase.user.click(button('review.reject.do'))
  const title = t('review.confirm.reject', { name: 'Sample Person' })
  const dialog = () => within(screen.getByRole('dialog', { name: title }))
  expect(dialog().getByRole('blockquote')).toHaveTextContent('Not you.')
  await kycCase.user.click(dialog().getByRole('button', { name: t('forms.cancel') }))
  expect(screen.queryByRole('dialog', { name: title })).toBeNull()
  expect(callsOf(decideKycCase)).toEqual([])
  expect(reason()).toHaveValue('Not you.')
  await kycCase.user.click(button('review.reject.do'))
  await kycCase.user.click(dialog().getByRole('button', { name: t('review.confirm.reject.do') }))
  expect(await screen.findByText(t('review.done.rejected'))).toBeVisible()
  expect(callsOf(decideKycCase).map(({ body }) => body)).toEqual([
    { status: 'rejected', isFinal: false, round: 1, reason: 'Not you.', note: 'Look twice.' },
  ])
})

const photo = {
  n: 0,
  bytes: 1,
  verdict: 'accepted' as const,
  reason: '',
  note: '',
  round: 1,
  isReplaced: false,
}
const seen = { photos: [photo], screeningReadAt: waiting.updatedAt }

test("an approval repeats the person's name, and contains no reason typed for another outcome", async () => {
  answering(decideKycCase, { ...waiting, status: 'approved' })
  const kycCase = await open({ ...waiting, ...seen })
  await choose(kycCase, 'review.reject')
  await kycCase.user.type(reason(), 'Not you.')
  await choose(kycCase, 'review.approve')
  await kycCase.user.click(button('review.approve.do'))
  const name = { name: 'Sample Person' }
  const dialog = within(screen.getByRole('dialog', { name: t('review.confirm.approve', name) }))
  expect(callsOf(decideKycCase)).toEqual([])
  await kycCase.user.click(dialog.getByRole('button', { name: t('review.confirm.approve.do', name) }))
  expect(await screen.findByText(t('review.done.approved'))).toBeVisible()
  expect(callsOf(decideKycCase).map(({ body }) => body)).toEqual([
    { status: 'approved', isFinal: false, round: 1, reason: '' },
  ])
})

test('nothing can be approved unseen: the form says what is left to do', async () => {
  const kycCase = await open()
  await choose(kycCase, 'review.approve')
  expect(button('review.approve.do')).toBeDisabled()
  const todo = [t('review.approve.first.none'), t('review.approve.first.screening')]
  expect(
    screen.getByText(t('review.approve.first', { todo: todo.join(t('forms.missing.separator')) })),
  ).toBeVisible()
})

test('an approval is withdrawn with a reason, previewed as the applicant will read it', async () => {
  answering(decideKycCase, { ...waiting, status: 'withdrawn' })
  const kycCase = await open({ ...waiting, status: 'approved' })
  expect(button('review.withdraw.do')).toBeDisabled()
  await kycCase.user.type(reason(), 'Reported lost.')
  await kycCase.user.click(button('review.withdraw.do'))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByRole('blockquote')).toHaveTextContent('Reported lost.')
  await kycCase.user.click(dialog.getByRole('button', { name: t('review.confirm.withdraw.do') }))
  expect(await screen.findByText(t('review.done.withdrawn'))).toBeVisible()
  expect(callsOf(decideKycCase).map(({ body }) => body)).toEqual([
    { status: 'withdrawn', round: 1, reason: 'Reported lost.' },
  ])
})

test('lifting a final refusal takes two: the first proposes, the second agrees, and the proposer waits', async () => {
  const refused = { ...waiting, status: 'rejected' as const, isFinal: true }
  answering(reverseKycRejection, { ...refused, liftProposedBy: { id: 'me', name: 'Me' } })
  const kycCase = await open(refused)
  await kycCase.user.type(screen.getByRole('textbox', { name: t('review.lift.reason') }), 'A mistake.')
  await kycCase.user.click(button('review.lift.propose'))
  expect(await screen.findByText(t('review.lift.proposed'))).toBeVisible()
  expect(callsOf(reverseKycRejection).map(({ body }) => body)).toEqual([{ reason: 'A mistake.' }])
})

test('the rounds of a case show requests, their authors, and earlier entries', async () => {
  const asked = { at: waiting.updatedAt, by: 'Officer Two', reason: 'Which country?' }
  const earlier = [{ field: 'country' as const, value: 'Iceland' }]
  await open({
    ...waiting,
    rounds: [
      { handedInAt: waiting.createdAt, asked, earlier },
      { handedInAt: waiting.updatedAt, asked: null, earlier: [] },
    ],
  })
  const rounds = within(screen.getByRole('region', { name: t('review.rounds') }))
  expect(rounds.getAllByRole('listitem')).toHaveLength(2)
  expect(rounds.getByText('Which country?')).toBeVisible()
  expect(
    rounds.getByText(t('review.round.earlier', { field: t('kyc.country'), value: 'Iceland' })),
  ).toBeVisible()
  expect(rounds.getByText(/Officer Two/)).toBeVisible()
})

test('if another officer was faster, the page says who, and keeps the input readable', async () => {
  refusing(decideKycCase, 'conflict')
  const kycCase = await open(waiting, { ...waiting, status: 'approved' })
  answering(listKycCaseEvents, [
    { at: waiting.updatedAt, what: 'step', by: 'Officer Two', to: 'approved', reason: '', photo: null },
  ])
  await choose(kycCase, 'review.more')
  await kycCase.user.type(reason(), 'Both sides.')
  await kycCase.user.click(button('review.more.do'))
  const said = { name: 'Officer Two', state: t('review.state.approved') }
  await expectAlert(`${t('review.conflict.decided', said)} ${t('review.conflict.nothing')}`)
  const typed = within(screen.getByText(t('review.conflict.typed')).closest('details')!)
  expect(typed.getByRole('blockquote')).toHaveTextContent('Both sides.')
  expect(screen.queryByRole('heading', { name: t('review.decide') })).toBeNull()
  expect(kycCase.onStep).not.toHaveBeenCalled()
})

test('without a connection the decision stays as typed, ready to be sent again', async () => {
  unreachable(decideKycCase)
  const kycCase = await open()
  await choose(kycCase, 'review.more')
  await kycCase.user.type(reason(), 'Both sides.')
  await kycCase.user.click(button('review.more.do'))
  await expectAlert(t('errors.offline'))
  expect(reason()).toHaveValue('Both sides.')
  expect(button('review.more.do')).toBeEnabled()
})
