import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { fullName } from '#contract/people/full-name.ts'
import { exportKycCase } from '#contract/people/kyc-export.ts'
import { type CaseEvent, listKycCaseEvents } from '#contract/people/kyc-review.ts'
import type { StaffNote } from '#contract/people/staff-notes.ts'
import { call } from '../../../kernel/call/call.ts'
import { useAction } from '../../../kernel/actions/use-action.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { staffName } from '../../../kernel/i18n/staff-name.ts'
import { saveFile } from '../../../kernel/save-file.ts'
import { Button } from '../../../kernel/ui/button.tsx'
import { FormStatus } from '../../../kernel/ui/form-status.tsx'
import { photoVerdictLabels } from '../review-states.ts'
import { CaseFacts } from './case-details.tsx'
import { EventList } from './case-events.tsx'
import printStyles from './case-print.module.css'
import { Findings } from './findings.tsx'
import { Submissions } from './submissions.tsx'
import styles from './case.module.css'

/** The whole case as a file or on paper. `onExported`: the log has a new entry. */
export function CaseExport({ id, onExported }: { id: string; onExported: () => void }) {
  const { t } = useMessages()
  const saving = useAction()
  const printing = useAction()
  const [printed, setPrinted] = useState<PrintedCase>()
  const params = { id }
  const save = () =>
    saving.run(async () => {
      const text = JSON.stringify(await call(exportKycCase, { params }), null, 2)
      const name = t('review.export.fileName', { id: id.slice(0, 8) })
      saveFile(new Blob([text], { type: 'application/json' }), name)
      onExported()
    })
  const print = () =>
    printing.run(async () => {
      const exported = await call(exportKycCase, { params })
      setPrinted({ exported, events: await call(listKycCaseEvents, { params }) })
      onExported()
    })
  return (
    <section className={styles.part} aria-labelledby="case-export">
      <h2 id="case-export">{t('review.export')}</h2>
      <p className={styles.quiet}>{t('review.export.help')}</p>
      <div className={styles.actions}>
        <Button kind="quiet" busy={printing.isBusy} onClick={() => void print()}>
          {t('review.export.print')}
        </Button>
        <Button kind="quiet" busy={saving.isBusy} onClick={() => void save()}>
          {t('review.export.json')}
        </Button>
      </div>
      <p role="status" className={styles.quiet}>
        {saving.isDone && t('review.export.done')}
      </p>
      <FormStatus error={saving.error ?? printing.error} />
      {printed && <CasePrint printed={printed} onPrinted={() => setPrinted(undefined)} />}
    </section>
  )
}

type PrintedCase = { exported: OutputOf<typeof exportKycCase>; events: readonly CaseEvent[] }

/**
 * The whole case on paper, which replaces the page while the browser prints. Opens the print dialog once all
 * pictures are decoded.
 */
function CasePrint({
  printed: { exported, events },
  onPrinted,
}: {
  printed: PrintedCase
  onPrinted: () => void
}) {
  const { t, formatDateTime, addNote } = useMessages()
  const { case: kycCase, exportedAt, exportedBy, pictures, audit } = exported
  const name = fullName(kycCase.firstName, kycCase.lastName) || '–'
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
    <article ref={sheet} className={printStyles.sheet}>
      <p>{t('review.print.kind')}</p>
      <h1>{name}</h1>
      <p>
        {t('review.print.exported', {
          at: formatDateTime(exportedAt),
          name: addNote(exportedBy.name, exportedBy.email),
        })}
      </p>
      <CaseFacts kycCase={kycCase} />
      <Submissions rounds={kycCase.rounds} />
      <Findings kycCase={kycCase} mayRead={false} />
      <PrintedPhotos photos={kycCase.photos} />
      <PrintedNotes notes={kycCase.notes} />
      <section className={styles.part}>
        <h2>{t('review.events')}</h2>
        <EventList events={events} />
      </section>
      <PrintedAudit audit={audit} />
      {pictures.map((url, index) => (
        <figure key={url} className={printStyles.picture}>
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
    <section className={styles.part}>
      <h2>{t('review.print.photos')}</h2>
      {photos.length === 0 && <p>{t('review.photo.gone')}</p>}
      {photos.map(({ n, verdict, reason, note }) => (
        <p key={n}>
          <strong>{t('review.photo', { number: n + 1 })}</strong> {t(photoVerdictLabels[verdict].words)}
          {[reason, note].filter(Boolean).map((text) => (
            <q key={text} className={styles.lines}>
              {text}
            </q>
          ))}
        </p>
      ))}
    </section>
  )
}

function PrintedNotes({ notes }: { notes: readonly StaffNote[] }) {
  const { t, language, formatDateTime } = useMessages()
  if (notes.length === 0) return null
  return (
    <section className={styles.part}>
      <h2>{t('console.notes')}</h2>
      {notes.map(({ id, at, by, text }) => (
        <p key={id}>
          <strong>{by === null ? t('console.formerColleague') : staffName(by, language)}</strong>{' '}
          {formatDateTime(at)} <q className={styles.lines}>{text}</q>
        </p>
      ))}
    </section>
  )
}

function PrintedAudit({ audit }: { audit: PrintedCase['exported']['audit'] }) {
  const { t, formatDateTime } = useMessages()
  return (
    <section className={styles.part}>
      <h2>{t('review.print.audit')}</h2>
      <p>{t('review.print.audit.help')}</p>
      <ol className={printStyles.audit}>
        {audit.map(({ seq, at, action, hash }) => (
          <li key={`${seq} ${at} ${action}`} value={seq ?? undefined}>
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
