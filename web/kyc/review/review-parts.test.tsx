import { renderToStaticMarkup } from 'react-dom/server'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import cnForms from '#content/messages/cn/forms.json'
import cnKyc from '#content/messages/cn/kyc.json'
import cnReview from '#content/messages/cn/review.json'
import enForms from '#content/messages/en/forms.json'
import enKyc from '#content/messages/en/kyc.json'
import enReview from '#content/messages/en/review.json'
import type { Language } from '#contract/fields.ts'
import { caseEvents, type CaseEvent, type KycCaseDetail } from '#contract/kyc-review.ts'
import { WordsProvider } from '../../i18n/words.tsx'
import { QueueTable } from './queue/queue-table.tsx'
import { wholeQueue } from './review-address.ts'
import { CaseDone } from './decision/case-done.tsx'
import { Events } from './case/case-events.tsx'
import { CaseOwner } from './case/case-head.tsx'
import { Conflict } from './decision/conflict.tsx'
import { DecisionForm } from './decision/decision-form.tsx'
import { noDraft, type Outcome } from './decision/draft.ts'
import { Findings } from './case/findings.tsx'

const messages = {
  en: { ...enForms, ...enKyc, ...enReview },
  cn: { ...cnForms, ...cnKyc, ...cnReview },
}
const show = (part: ReactNode, language: Language = 'en') =>
  renderToStaticMarkup(
    <WordsProvider value={{ language, messages: messages[language], setLanguage: async () => {} }}>
      {part}
    </WordsProvider>,
  ).replaceAll('&#x27;', "'")
const ignore = () => {}
const officer = (name: string) => ({ id: name, name })

const aCase = (fields: Partial<KycCaseDetail> = {}): KycCaseDetail => ({
  _id: 'c1',
  memberId: 'm1',
  firstName: 'Sample Person',
  lastName: '',
  country: '',
  email: 'sample@example.org',
  ethAddress: '',
  btcAddress: '',
  eventId: 'TGE001',
  status: 'submitted',
  reason: '',
  photoCount: 1,
  isFinal: false,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  decidedAt: null,
  ageHours: 5,
  assignee: null,
  finalProposedBy: null,
  hasDuplicates: false,
  photos: [{ n: 0, bytes: 1, verdict: 'open', reason: '', note: '' }],
  history: { steps: [], photos: [], views: [], usualHours: null, receipt: null },
  duplicates: [],
  screening: [],
  memberLanguage: 'cn',
  isFourEyesRequired: true,
  ...fields,
})

test('a row says in words that a case is late, shared or proposed, and leads to it with the queue it stands in', () => {
  const filter = { ...wholeQueue, q: 'x' }
  const row = (fields: Partial<KycCaseDetail>) =>
    show(<QueueTable cases={[aCase(fields)]} filter={filter} usualHours={10} />)
  expect(row({})).toContain('href="/kyc/review?case=c1&amp;q=x"')
  const late = enReview['review.late'].replace('{age}', '30 hours')
  expect(row({ ageHours: 30 })).toContain(late)
  expect(row({ ageHours: 30, status: 'approved' })).not.toContain(late)
  expect(row({ hasDuplicates: true })).toContain(enReview['review.flags.duplicate'])
  expect(row({ finalProposedBy: officer('One') })).toContain(enReview['review.flags.final'])
  expect(row({ finalProposedBy: officer('One'), isFinal: true })).not.toContain(
    enReview['review.flags.final'],
  )
})

test.each([
  [aCase(), true, ['review.nobody', 'review.take']],
  [aCase({ assignee: officer('me') }), true, ['review.mine', 'review.giveBack']],
  [aCase({ assignee: officer('Two') }), true, ['review.takeOver']],
  [aCase({ memberId: 'me' }), true, ['review.own']],
  [aCase(), false, ['review.readOnly']],
  [aCase({ finalProposedBy: officer('me') }), true, ['review.finalProposed.mine']],
  [aCase({ isFinal: true, status: 'rejected' }), true, ['review.isFinal']],
] as const)('who has a case is said, with what that allows (%#)', (shown, mayDecide, wanted) => {
  const html = show(
    <CaseOwner
      shown={shown}
      officerId="me"
      mayDecide={mayDecide}
      isBusy={false}
      onTake={ignore}
      onGiveBack={ignore}
    />,
  )
  for (const key of wanted) expect(html).toContain(enReview[key])
  const mayAct = mayDecide && shown.memberId !== 'me' && shown.status === 'submitted'
  expect(html.includes('<button')).toBe(mayAct)
})

const form = (outcome: Outcome | '', fields: Partial<KycCaseDetail> = {}, reason = '') =>
  show(
    <DecisionForm
      shown={aCase({ note: 'Kept.', ...fields })}
      draft={{ ...noDraft, outcome, reason }}
      onChange={ignore}
      onDecide={async () => {}}
      officerId="me"
    />,
  )
/** The deciding button in its present state. */
const button = (html: string) => /<button[^>]*>(?:(?!<button).)*<\/button>(?=<\/div><dialog)/s.exec(html)![0]

test('nothing is decided without an outcome, and no refusal without its reason', () => {
  expect(button(form(''))).toContain('disabled')
  expect(button(form('approved'))).not.toContain('disabled')
  for (const outcome of ['more_info', 'rejected', 'final'] as const) {
    expect(button(form(outcome))).toContain('disabled')
    expect(button(form(outcome, {}, 'Because.'))).not.toContain('disabled')
  }
  expect(form('')).toContain('Kept.')
})

test('the first voice proposes, the second decides, and the first has no second', () => {
  expect(button(form('final'))).toContain(enReview['review.final.propose'])
  expect(button(form('final', { finalProposedBy: officer('Two') }))).toContain(enReview['review.final.do'])
  expect(button(form('final', { isFourEyesRequired: false }))).toContain(enReview['review.final.do'])
  expect(form('', { finalProposedBy: officer('me') })).not.toContain(enReview['review.final'])
})

test('duplicates lead to the other case, and a name on a list has its score', () => {
  const html = show(
    <Findings
      filter={wholeQueue}
      shown={aCase({
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
        screening: [{ provider: 'p', list: 'A list', name: 'Sampel', born: '1970-01-02', score: 91 }],
      })}
    />,
  )
  expect(html).toContain('href="/kyc/review?case=c2"')
  expect(html).toContain(`${enReview['review.why.document']}, ${enReview['review.why.email']}`)
  expect(html).toContain('91 of 100')
  expect(html).toContain('1970-01-02')
  const none = show(<Findings filter={wholeQueue} shown={aCase()} />)
  expect(none).toContain(enReview['review.duplicates.none'])
  expect(none).toContain(enReview['review.screening.none'])
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
  'every event is said whole in %s, and looks stand apart from deeds',
  (language) => {
    for (const what of caseEvents)
      expect(show(<Events events={[event(what)]} />, language)).not.toMatch(/\{\w+\}/)
    const html = show(<Events events={[event('step'), event('viewed')]} />, language)
    const [deeds, looks] = html.split('<details')
    expect(deeds).toContain(messages[language]['review.state.approved'])
    expect(looks).toContain(messages[language]['review.event.viewed'].replace('{name}', 'Officer One'))
  },
)

test('where somebody was quicker, what was typed is there to read', () => {
  const typed = { outcome: 'more_info' as const, reason: 'Both sides.', note: 'My note.' }
  const html = show(<Conflict what="Officer One was quicker." typed={typed} />)
  for (const text of ['Officer One was quicker.', 'Both sides.', 'My note.']) expect(html).toContain(text)
  expect(show(<Conflict what="x" typed={undefined} />)).not.toContain('<details')
})

test('after a decision the next case is at hand, or the queue', () => {
  const next = aCase({ _id: 'c9', firstName: 'Next One' })
  expect(show(<CaseDone done="approved" next={next} filter={wholeQueue} />)).toContain(
    'href="/kyc/review?case=c9"',
  )
  const last = show(<CaseDone done="proposed" next={undefined} filter={wholeQueue} />)
  expect(last).toContain(enReview['review.done.last'])
  expect(last).toContain('href="/kyc/review"')
})
