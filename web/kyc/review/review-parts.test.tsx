// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import type { Language } from '#contract/platform/fields.ts'
import { caseEvents, type CaseEvent, type KycCaseDetail } from '#contract/people/kyc-review.ts'
import { aKycCase, aScreening } from '#tests/setup/a-kyc-case.ts'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { CaseDone } from './decision/case-done.tsx'
import { Events } from './case/case-events.tsx'
import { CaseOwner } from './case/case-head.tsx'
import { Conflict } from './decision/conflict.tsx'
import { DecisionForm } from './decision/decision-form.tsx'
import { noDraft, type Outcome } from './decision/draft.ts'
import { Findings } from './case/findings.tsx'

const t = wordsOf('en')
const ignore = () => {}
const officer = (name: string) => ({ id: name, name })
const reading = { mayRead: true, onRead: ignore, onChanged: ignore }

/** Renders only this component, after removing what the test rendered before. */
function showOnly(part: ReactNode, language: Language = 'en'): HTMLElement {
  cleanup()
  return show(part, language).container
}

test.each([
  [aKycCase(), true, 'review.nobody', 'review.take'],
  [aKycCase({ assignee: officer('me') }), true, 'review.mine', 'review.giveBack'],
  [aKycCase({ assignee: officer('Two') }), true, 'review.others', 'review.takeOver'],
  [aKycCase({ memberId: 'me' }), true, 'review.own', null],
  [aKycCase(), false, 'review.readOnly', null],
  [aKycCase({ finalProposedBy: officer('me') }), true, 'review.finalProposed.mine', 'review.take'],
  [aKycCase({ isFinal: true, status: 'rejected' }), true, 'review.isFinal', null],
] as const)(
  'shows the assignee of a case, and what that allows (%#)',
  (kycCase, mayDecide, sentence, action) => {
    showOnly(
      <CaseOwner
        kycCase={kycCase}
        officerId="me"
        mayDecide={mayDecide}
        isBusy={false}
        onAssign={ignore}
        onUnassign={ignore}
      />,
    )
    expect(screen.getByText(t(sentence, { name: 'Two' }))).toBeVisible()
    if (action) expect(screen.getByRole('button')).toHaveAccessibleName(t(action))
    else expect(screen.queryByRole('button')).toBeNull()
  },
)

const showForm = (outcome: Outcome | '', fields: Partial<KycCaseDetail> = {}, reason = '') =>
  showOnly(
    <DecisionForm
      kycCase={aKycCase({ note: 'Kept.', ...fields })}
      draft={{ ...noDraft, outcome, reason }}
      onChange={ignore}
      onDecide={async () => {}}
      officerId="me"
    />,
  )
/** The form's only button, in its current state. */
function button(...form: Parameters<typeof showForm>): HTMLElement {
  showForm(...form)
  return screen.getByRole('button')
}

test('nothing can be decided without an outcome, and nothing refused without a reason', () => {
  expect(button('')).toBeDisabled()
  expect(button('approved')).toBeDisabled()
  const [photo] = aKycCase().photos
  const accepted = { ...photo!, verdict: 'accepted' as const }
  const replaced = { ...photo!, n: 1, verdict: 'refused' as const, isReplaced: true }
  const read = { screeningReadAt: '2026-11-20T00:00:00.000Z' }
  expect(button('approved', { photos: [accepted, replaced] })).toBeDisabled()
  expect(button('approved', { photos: [photo!], ...read })).toBeDisabled()
  expect(button('approved', { photos: [accepted, replaced], ...read })).toBeEnabled()
  for (const outcome of ['more_info', 'rejected', 'final'] as const) {
    expect(button(outcome)).toBeDisabled()
    expect(button(outcome, {}, 'Because.')).toBeEnabled()
  }
  showForm('')
  expect(screen.getByRole('textbox', { name: t('review.note') })).toHaveValue('Kept.')
})

test("the first approval proposes, the second decides, and the first officer can't give both", () => {
  const [propose, decide] = [t('review.final.propose'), t('review.final.do')]
  expect(button('final')).toHaveAccessibleName(propose)
  expect(button('final', { finalProposedBy: officer('Two') })).toHaveAccessibleName(decide)
  expect(button('final', { isFourEyesRequired: false })).toHaveAccessibleName(decide)
  const final = () => screen.queryByRole('radio', { name: (name) => name.startsWith(t('review.final')) })
  expect(final()).toBeVisible()
  showForm('', { finalProposedBy: officer('me') })
  expect(screen.getAllByRole('radio')).toHaveLength(3)
  expect(final()).toBeNull()
})

test('duplicates link to the other case, and a list match has its score', () => {
  showOnly(
    <Findings
      {...reading}
      kycCase={aKycCase({
        duplicates: [
          {
            id: 'c2',
            name: 'Other',
            memberId: 'm2',
            status: 'rejected',
            createdAt: '',
            why: ['document', 'email'],
          },
        ],
        screening: aScreening({
          matches: [
            {
              provider: 'p',
              list: 'A list',
              name: 'Sampel',
              born: '1970-01-02',
              score: 91,
              isBornOtherwise: false,
            },
          ],
        }),
      })}
    />,
  )
  const open = screen.getByRole('link', { name: t('review.duplicates.open', { name: 'Other' }) })
  expect(open).toHaveAttribute('href', '/console/identity?case=c2')
  expect(
    screen.getByText(
      t('review.duplicates.why', { why: `${t('review.why.document')}, ${t('review.why.email')}` }),
    ),
  ).toBeVisible()
  const [, listed] = screen.getAllByRole('listitem')
  expect(listed).toHaveTextContent('91/100')
  expect(listed).toHaveTextContent('1970-01-02')
  showOnly(<Findings {...reading} kycCase={aKycCase()} />)
  expect(screen.getByText(t('review.duplicates.none'))).toBeVisible()
  expect(screen.getByText(t('review.screening.none'))).toBeVisible()
})

const event = (what: CaseEvent['what']): CaseEvent => ({
  at: '2026-11-20T00:00:00.000Z',
  what,
  by: 'Officer One',
  to: 'approved',
  reason: '',
  photo: 1,
})

test.each(['en', 'cn'] as const)(
  'every event is a complete sentence in %s, with views separate from actions',
  (language) => {
    const spoken = wordsOf(language)
    for (const what of caseEvents)
      expect(showOnly(<Events events={[event(what)]} />, language)).not.toHaveTextContent(/\{\w+\}/)
    showOnly(<Events events={[event('step'), event('viewed')]} />, language)
    const name = 'Officer One'
    const step = spoken('review.event.step', { name, state: spoken('review.state.approved') })
    const viewed = spoken('review.event.viewed', { name })
    const looks = screen.getByRole('group')
    expect(screen.getByText(step)).toBeVisible()
    expect(looks).not.toHaveTextContent(step)
    expect(looks).toHaveTextContent(viewed)
    expect(screen.getAllByText(viewed)).toHaveLength(1)
  },
)

test('a resubmission reads like the first submission', () => {
  showOnly(<Events events={[{ ...event('step'), by: '', to: 'submitted' }]} />)
  expect(screen.getByText(t('review.event.submitted'))).toBeVisible()
})

test('if someone was faster, the typed texts stay readable', () => {
  const typed = { outcome: 'more_info' as const, reason: 'Both sides.', note: 'My note.' }
  showOnly(<Conflict what="Officer One was quicker." typed={typed} />)
  expect(screen.getByRole('alert')).toHaveTextContent('Officer One was quicker.')
  const texts = within(screen.getByRole('group')).getAllByRole('blockquote')
  expect(texts.map(({ textContent }) => textContent)).toEqual(['Both sides.', 'My note.'])
  showOnly(<Conflict what="x" typed={undefined} />)
  expect(screen.queryByRole('group')).toBeNull()
})

test('after a decision the next case is offered, or the queue', () => {
  const next = aKycCase({ _id: 'c9', firstName: 'Next One' })
  showOnly(<CaseDone done="approved" next={next} queue={{}} />)
  const link = screen.getByRole('link', { name: t('review.done.next', { name: 'Next One' }) })
  expect(link).toHaveAttribute('href', '/console/identity?case=c9')
  expect(link).toHaveFocus()
  showOnly(<CaseDone done="proposed" next={undefined} queue={{}} />)
  expect(screen.getByRole('status')).toHaveTextContent(t('review.done.last'))
  expect(screen.getByRole('link', { name: t('review.back') })).toHaveAttribute('href', '/console/identity')
})
