import type { CaseEvent, KycCaseDetail } from '#contract/kyc-review.ts'
import type { KycState } from '#contract/kyc.ts'
import type { PdfKeyTaking, Say } from './pdf-words.ts'
import type { PdfWriter } from './pdf-writer.ts'
import { utc } from './utc.ts'
import { writeScreening } from './write-screening.ts'

type PlainKey = PdfKeyTaking<never>
type Audit = { seq: number; at: string; name: string; action: string; hash: string }

const states: Readonly<Record<KycState, PlainKey>> = {
  submitted: 'review.state.submitted',
  in_review: 'review.state.inReview',
  approved: 'review.state.approved',
  rejected: 'review.state.rejected',
  more_info: 'review.state.moreInfo',
  expired: 'review.state.expired',
  withdrawn: 'review.state.withdrawn',
}
const events: Readonly<Record<CaseEvent['what'], PdfKeyTaking<'name' | 'number' | 'state'>>> = {
  submitted: 'review.event.submitted',
  step: 'review.event.step',
  taken: 'review.event.taken',
  taken_over: 'review.event.takenOver',
  given_back: 'review.event.givenBack',
  photo_accepted: 'review.event.photoAccepted',
  photo_refused: 'review.event.photoRefused',
  screening_read: 'review.event.screeningRead',
  approval_proposed: 'review.event.approvalProposed',
  final_proposed: 'review.event.finalProposed',
  lift_proposed: 'review.event.liftProposed',
  lift_taken_back: 'review.event.liftTakenBack',
  lifted: 'review.event.lifted',
  refusal_shared: 'review.event.refusalShared',
  noted: 'review.event.noted',
  viewed: 'review.event.viewed',
  photo_viewed: 'review.event.photoViewed',
  exported: 'review.event.exported',
  photos_destroyed: 'review.event.photosDestroyed',
}

/** Writes everything about a case except its pictures. */
export function writeCase(
  pdf: PdfWriter,
  say: Say,
  {
    shown,
    happened,
    audit,
    made,
  }: { shown: KycCaseDetail; happened: readonly CaseEvent[]; audit: readonly Audit[]; made: string },
): void {
  pdf.paragraph(say('casePdf.kind'), { size: 9, colour: 'accent', isStrong: true })
  pdf.space(4)
  pdf.paragraph(nameOf(shown), { size: 22 })
  pdf.space(2)
  pdf.paragraph(made, { size: 9, colour: 'quiet' })
  writeFacts(pdf, say, shown)
  writePhotos(pdf, say, shown)
  writeDuplicates(pdf, say, shown)
  writeScreening(pdf, say, shown)

  pdf.heading(say('casePdf.events'))
  for (const event of happened.toReversed()) {
    const said = sayEvent(say, event)
    pdf.fact(utc(event.at), event.reason ? `${said}\n${event.reason}` : said)
  }

  pdf.heading(say('casePdf.audit'))
  pdf.paragraph(say('casePdf.audit.help'), { size: 9, colour: 'quiet' })
  pdf.space(4)
  for (const { seq, at, name, action, hash } of audit) {
    pdf.fact(`${seq} · ${utc(at)}`, `${action} · ${name || '–'}`)
    pdf.columns([{ text: hash, width: pdf.width - 150, left: 150, style: { size: 7.5, colour: 'quiet' } }])
    pdf.space(4)
  }
}

export const nameOf = ({ firstName, lastName }: KycCaseDetail): string =>
  `${firstName} ${lastName}`.trim() || '–'

function writeFacts(pdf: PdfWriter, say: Say, shown: KycCaseDetail): void {
  pdf.heading(say('casePdf.facts'))
  const facts: [PlainKey, string][] = [
    ['review.number', shown._id],
    ['review.status', say(states[shown.status])],
    ['kyc.createdAt', utc(shown.createdAt)],
    ['kyc.decidedAt', shown.decidedAt ? utc(shown.decidedAt) : ''],
    ['review.assignee', shown.assignee?.name ?? ''],
    ['casePdf.email', shown.email],
    ['kyc.dateOfBirth', shown.dateOfBirth],
    ['kyc.country', shown.country],
    ['kyc.ethAddress', shown.ethAddress],
    ['kyc.btcAddress', shown.btcAddress],
    ['casePdf.member', shown.memberId],
    ['casePdf.reason', shown.reason],
    ['review.finalProposed.reason', shown.finalProposedReason],
    ['review.note', shown.note ?? ''],
  ]
  for (const [key, value] of facts) if (value !== '') pdf.fact(say(key), value)
  if (shown.isFinal) pdf.paragraph(say('review.isFinal'))
  else if (shown.finalProposedBy)
    pdf.paragraph(say('review.finalProposed', { name: shown.finalProposedBy.name }))
  if (shown.approvalProposedBy)
    pdf.paragraph(say('review.approvalProposed', { name: shown.approvalProposedBy.name }))
}

function writePhotos(pdf: PdfWriter, say: Say, { photos, photoCount }: KycCaseDetail): void {
  pdf.heading(say('casePdf.photos'))
  if (photoCount === 0) pdf.paragraph(say('review.photo.gone'))
  for (const { n, verdict, reason, note } of photos) {
    const said = [
      say(`review.photo.${verdict}`),
      reason && say('casePdf.photo.reason', { reason }),
      note && say('casePdf.photo.note', { note }),
    ]
    pdf.fact(say('review.photo', { number: n + 1 }), said.filter(Boolean).join('\n'))
  }
}

function writeDuplicates(pdf: PdfWriter, say: Say, { duplicates }: KycCaseDetail): void {
  pdf.heading(say('review.duplicates'))
  if (duplicates.length === 0) pdf.paragraph(say('review.duplicates.none'))
  for (const { id, name, status, why } of duplicates)
    pdf.fact(
      name || '–',
      `${say(states[status])} · ${why.map((each) => say(`review.why.${each}`)).join(say('casePdf.separator'))}\n${id}`,
    )
}

function sayEvent(say: Say, { what, by, to, photo }: CaseEvent): string {
  return say(events[what], {
    name: by || say('review.event.applicant'),
    state: to ? say(states[to]) : '',
    number: (photo ?? 0) + 1,
  })
}
