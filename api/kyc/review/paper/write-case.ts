import type { CaseEvent, KycCaseDetail } from '#contract/kyc-review.ts'
import type { KycState } from '#contract/kyc.ts'
import type { PaperKeyTaking, Say } from './paper-words.ts'
import type { Sheet } from './sheet.ts'

type Verdict = KycCaseDetail['photos'][number]['verdict']
type Why = KycCaseDetail['duplicates'][number]['why'][number]
type PlainKey = PaperKeyTaking<never>
type Audit = { seq: number; at: string; name: string; action: string; hash: string }

const states: Readonly<Record<KycState, PlainKey>> = {
  submitted: 'review.state.submitted',
  in_review: 'review.state.inReview',
  approved: 'review.state.approved',
  rejected: 'review.state.rejected',
  more_info: 'review.state.moreInfo',
  expired: 'review.state.expired',
}
export const verdicts: Readonly<Record<Verdict, PlainKey>> = {
  open: 'review.photo.open',
  accepted: 'review.photo.accepted',
  refused: 'review.photo.refused',
}
const whys: Readonly<Record<Why, PlainKey>> = {
  document: 'review.why.document',
  ethAddress: 'review.why.ethAddress',
  btcAddress: 'review.why.btcAddress',
  email: 'review.why.email',
}
const events: Readonly<Record<CaseEvent['what'], PaperKeyTaking<'name' | 'number' | 'state'>>> = {
  submitted: 'review.event.submitted',
  step: 'review.event.step',
  taken: 'review.event.taken',
  taken_over: 'review.event.takenOver',
  given_back: 'review.event.givenBack',
  photo_accepted: 'review.event.photoAccepted',
  photo_refused: 'review.event.photoRefused',
  final_proposed: 'review.event.finalProposed',
  noted: 'review.event.noted',
  viewed: 'review.event.viewed',
  photo_viewed: 'review.event.photoViewed',
  exported: 'review.event.exported',
  photos_destroyed: 'review.event.photosDestroyed',
}

/** To the second, UTC: paper is read anywhere. */
export const utc = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`

/** All of a case but its pictures. */
export function writeCase(
  sheet: Sheet,
  say: Say,
  {
    shown,
    happened,
    audit,
    made,
  }: { shown: KycCaseDetail; happened: readonly CaseEvent[]; audit: readonly Audit[]; made: string },
): void {
  sheet.paragraph(say('casePaper.kind'), { size: 9, colour: 'accent', isStrong: true })
  sheet.space(4)
  sheet.paragraph(nameOf(shown), { size: 22 })
  sheet.space(2)
  sheet.paragraph(made, { size: 9, colour: 'quiet' })
  writeFacts(sheet, say, shown)
  writePhotos(sheet, say, shown)
  writeFindings(sheet, say, shown)

  sheet.heading(say('casePaper.events'))
  for (const event of happened.toReversed()) {
    const said = sayEvent(say, event)
    sheet.fact(utc(event.at), event.reason ? `${said}\n${event.reason}` : said)
  }

  sheet.heading(say('casePaper.audit'))
  sheet.paragraph(say('casePaper.audit.help'), { size: 9, colour: 'quiet' })
  sheet.space(4)
  for (const { seq, at, name, action, hash } of audit) {
    sheet.fact(`${seq} · ${utc(at)}`, `${action} · ${name || '–'}`)
    sheet.columns([
      { text: hash, width: sheet.width - 150, left: 150, style: { size: 7.5, colour: 'quiet' } },
    ])
    sheet.space(4)
  }
}

export const nameOf = ({ firstName, lastName }: KycCaseDetail): string =>
  `${firstName} ${lastName}`.trim() || '–'

function writeFacts(sheet: Sheet, say: Say, shown: KycCaseDetail): void {
  sheet.heading(say('casePaper.facts'))
  const facts: [PlainKey, string][] = [
    ['review.number', shown._id],
    ['review.status', say(states[shown.status])],
    ['kyc.createdAt', utc(shown.createdAt)],
    ['kyc.decidedAt', shown.decidedAt ? utc(shown.decidedAt) : ''],
    ['review.assignee', shown.assignee?.name ?? ''],
    ['casePaper.email', shown.email],
    ['kyc.country', shown.country],
    ['kyc.ethAddress', shown.ethAddress],
    ['kyc.btcAddress', shown.btcAddress],
    ['casePaper.member', shown.memberId],
    ['casePaper.reason', shown.reason],
    ['review.note', shown.note ?? ''],
  ]
  for (const [key, value] of facts) if (value !== '') sheet.fact(say(key), value)
  if (shown.isFinal) sheet.paragraph(say('review.isFinal'))
  else if (shown.finalProposedBy)
    sheet.paragraph(say('review.finalProposed', { name: shown.finalProposedBy.name }))
}

function writePhotos(sheet: Sheet, say: Say, { photos, photoCount }: KycCaseDetail): void {
  sheet.heading(say('casePaper.photos'))
  if (photoCount === 0) sheet.paragraph(say('review.photo.gone'))
  for (const { n, verdict, reason, note } of photos) {
    const said = [
      say(verdicts[verdict]),
      reason && say('casePaper.photo.reason', { reason }),
      note && say('casePaper.photo.note', { note }),
    ]
    sheet.fact(say('review.photo', { number: n + 1 }), said.filter(Boolean).join('\n'))
  }
}

function writeFindings(sheet: Sheet, say: Say, { duplicates, screening }: KycCaseDetail): void {
  sheet.heading(say('review.duplicates'))
  if (duplicates.length === 0) sheet.paragraph(say('review.duplicates.none'))
  for (const { id, name, status, why } of duplicates)
    sheet.fact(
      name || '–',
      `${say(states[status])} · ${why.map((each) => say(whys[each])).join(say('casePaper.separator'))}\n${id}`,
    )
  sheet.heading(say('review.screening'))
  if (screening.length === 0) sheet.paragraph(say('review.screening.none'))
  for (const { name, born, score, list } of screening)
    sheet.fact(say('review.screening.score', { score }), `${name}${born && ` · ${born}`}\n${list}`)
}

function sayEvent(say: Say, { what, by, to, photo }: CaseEvent): string {
  return say(events[what], {
    name: by || say('review.event.applicant'),
    state: to ? say(states[to]) : '',
    number: (photo ?? 0) + 1,
  })
}
