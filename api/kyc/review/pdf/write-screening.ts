import type { KycCaseDetail } from '#contract/kyc-review.ts'
import type { Say } from './pdf-words.ts'
import type { PdfWriter } from './pdf-writer.ts'
import { utc } from './utc.ts'

/** Writes which lists the applicant was compared with, the matches, and who has read them. */
export function writeScreening(pdf: PdfWriter, say: Say, shown: KycCaseDetail): void {
  const { state, lists, matches, isPartial } = shown.screening
  pdf.heading(say('review.screening'))
  if (state === 'no_list') pdf.paragraph(say('review.screening.noList'))
  if (state === 'unreadable') pdf.paragraph(say('review.screening.unreadable'))
  for (const { name, date, entries, isOld } of lists) {
    const said = say('review.screening.list', { name, date, count: entries })
    pdf.paragraph(isOld ? `${said} · ${say('review.screening.old')}` : said)
  }
  if (state === 'compared') {
    if (matches.length === 0) pdf.paragraph(say('review.screening.none'))
    if (isPartial) pdf.paragraph(say('review.screening.isPartial'))
    if (shown.dateOfBirth === '') pdf.paragraph(say('review.screening.noBirth'))
  }
  for (const { name, born, score, list, isBornOtherwise } of matches) {
    const said = isBornOtherwise ? say('review.screening.bornOtherwise', { born }) : born
    pdf.fact(say('review.screening.score', { score }), `${name}${said && ` · ${said}`}\n${list}`)
  }
  if (matches.some(({ isBornOtherwise }) => isBornOtherwise))
    pdf.paragraph(say('review.screening.bornOtherwise.help'))
  if (shown.screeningReadAt)
    pdf.paragraph(
      say('review.screening.readBy', {
        name: shown.screeningReadBy?.name || '–',
        at: utc(shown.screeningReadAt),
      }),
    )
}
