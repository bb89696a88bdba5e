import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import type { exportKycCase } from '#contract/kyc-export.ts'
import type { CaseEvent } from '#contract/kyc-review.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { photoVerdictLabels } from '../review-states.ts'
import { CaseFacts } from './case-details.tsx'
import { EventList } from './case-events.tsx'
import { Findings } from './findings.tsx'
import { Submissions } from './submissions.tsx'
import caseStyles from './case.module.css'
import styles from './case-print.module.css'

export type PrintedCase = { exported: OutputOf<typeof exportKycCase>; events: readonly CaseEvent[] }

/**
 * The whole case on paper, which replaces the page while the browser prints. Opens the print dialog once all
 * pictures are decoded.
 */
export function CasePrint({
  printed: { exported, events },
  onPrinted,
}: {
  printed: PrintedCase
  onPrinted: () => void
}) {
  const { t, formatDateTime } = useMessages()
  const { case: kycCase, exportedAt, exportedBy, pictures, audit } = exported
  const name = `${kycCase.firstName} ${kycCase.lastName}`.trim() || '–'
  const sheet = useRef<HTMLElement>(null)
  usePrint(sheet, t('review.print.title', { name }), onPrinted)
  const photoOf = (index: number) =>
    // A picture that could not be read is missing, so that the others have no number.
    pictures.length === kycCase.photos.length &&
    t('review.print.photo', {
      number: index + 1,
      count: pictures.length,
      verdict: t(photoVerdictLabels[kycCase.photos[index]!.verdict].words),
    })
  return createPortal(
    <article ref={sheet} className={styles.sheet}>
      <p>{t('review.print.kind')}</p>
      <h1>{name}</h1>
      <p>
        {t('review.print.exported', {
          at: formatDateTime(exportedAt),
          name: `${exportedBy.name} (${exportedBy.email})`,
        })}
      </p>
      <CaseFacts kycCase={kycCase} />
      <Submissions rounds={kycCase.rounds} />
      <Findings kycCase={kycCase} mayRead={false} />
      <PrintedPhotos photos={kycCase.photos} />
      <section className={caseStyles.part}>
        <h2>{t('review.events')}</h2>
        <EventList events={events} />
      </section>
      <PrintedAudit audit={audit} />
      {pictures.map((url, index) => (
        <figure key={url} className={styles.picture}>
          <img src={url} alt="" />
          <figcaption>{photoOf(index)}</figcaption>
        </figure>
      ))}
    </article>,
    document.body,
  )
}

function PrintedPhotos({ photos }: { photos: PrintedCase['exported']['case']['photos'] }) {
  const { t } = useMessages()
  return (
    <section className={caseStyles.part}>
      <h2>{t('review.print.photos')}</h2>
      {photos.length === 0 && <p>{t('review.photo.gone')}</p>}
      {photos.map(({ n, verdict, reason, note }) => (
        <p key={n}>
          <strong>{t('review.photo', { number: n + 1 })}</strong> {t(photoVerdictLabels[verdict].words)}
          {[reason, note].filter(Boolean).map((text) => (
            <q key={text} className={caseStyles.lines}>
              {text}
            </q>
          ))}
        </p>
      ))}
    </section>
  )
}

function PrintedAudit({ audit }: { audit: PrintedCase['exported']['audit'] }) {
  const { t, formatDateTime } = useMessages()
  return (
    <section className={caseStyles.part}>
      <h2>{t('review.print.audit')}</h2>
      <p>{t('review.print.audit.help')}</p>
      <ol className={styles.audit}>
        {audit.map(({ seq, at, action, hash }) => (
          <li key={seq} value={seq}>
            {formatDateTime(at)} · {action} <code>{hash}</code>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The title of the document becomes the header of each page, and the name of a saved PDF. */
function usePrint(sheet: RefObject<HTMLElement | null>, title: string, onPrinted: () => void): void {
  const latest = useRef(onPrinted)
  useLayoutEffect(() => {
    latest.current = onPrinted
  }, [onPrinted])
  useEffect(() => {
    const before = document.title
    let isGone = false
    document.title = title
    const end = () => latest.current()
    window.addEventListener('afterprint', end)
    const pictures = [...(sheet.current?.querySelectorAll('img') ?? [])]
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => {
      if (!isGone) window.print()
    })
    return () => {
      isGone = true
      window.removeEventListener('afterprint', end)
      document.title = before
    }
  }, [sheet, title])
}
