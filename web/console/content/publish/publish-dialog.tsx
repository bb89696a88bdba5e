import { useState } from 'react'
import { legalDocuments, type LegalDocument } from '#contract/consents.ts'
import {
  publishContent,
  scheduleContent,
  type ContentPieceWhole,
  type ContentRelease,
} from '#contract/console-content.ts'
import type { ContentProblem } from '#contract/content-rules.ts'
import { levelOf } from '#contract/level-of.ts'
import { ScheduleFields } from '../../../announcements/schedule/schedule-fields.tsx'
import { useSchedule } from '../../../announcements/schedule/use-schedule.ts'
import { call, CallFailed } from '../../../call/call.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import type { KeyTaking } from '../../../i18n/message-key.ts'
import { useWords } from '../../../i18n/words.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { Message } from '../../../ui/form-status.tsx'
import { useSession } from '../../../session/session.ts'
import { ChangeView } from '../change-view.tsx'
import styles from './publish.module.css'
import { usePieceName } from '../piece-words.ts'

const newVersionWords: Readonly<Record<LegalDocument, KeyTaking<'version'>>> = {
  terms: 'consoleContent.newVersion.terms',
  privacy: 'consoleContent.newVersion.privacy',
}

/** What is about to be published, now or at a time, after its changes were read. */
export function PublishDialog({
  pieces,
  onDone,
  onBroken,
  onClose,
}: {
  pieces: readonly ContentPieceWhole[]
  onDone: (release: ContentRelease) => void
  /** A rule is broken by now: nothing was published. */
  onBroken: (problems: readonly ContentProblem[]) => void
  onClose: () => void
}) {
  const { t } = useWords()
  const { member } = useSession()
  const nameOfPiece = usePieceName()
  const [isLater, setLater] = useState(false)
  const schedule = useSchedule(null)
  const [newVersions, setNewVersions] = useState<readonly LegalDocument[]>([])
  const [refusal, setRefusal] = useState<string>()
  const legal = pieces.find((piece) => piece.legal !== null)?.legal
  const sensitive = pieces.flatMap((each) => each.sensitive)
  const twoPersons = pieces[0]?.twoPersons ?? []
  const changesOfficial = pieces.some((each) => each.changesOfficial)
  const lacksRight = changesOfficial && !(member !== null && levelOf(member, 'coins') >= 2)
  const takesTwo =
    lacksRight ||
    sensitive.some((kind) => twoPersons.includes(kind)) ||
    (newVersions.length > 0 && twoPersons.includes('legal'))
  const isNothing = newVersions.length === 0 && pieces.every(({ changes }) => changes.length === 0)
  const publish = () => {
    if (isNothing) return null
    const body = {
      pieces: pieces.map(({ piece, version }) => ({ piece, version })),
      newVersions: [...newVersions],
    }
    if (!isLater) return call(publishContent, { body })
    const chosen = schedule.read()
    return chosen && call(scheduleContent, { body: { ...body, ...chosen } })
  }
  return (
    <ConfirmDialog
      title={
        pieces.length === 1
          ? t('consoleContent.publish.title', { name: nameOfPiece(pieces[0]!.piece) })
          : t('consoleContent.publish.several', { count: pieces.length })
      }
      label={t(
        takesTwo
          ? 'consoleContent.publish.propose'
          : isLater
            ? 'consoleContent.publish.schedule'
            : 'consoleContent.publish.now',
      )}
      dismissLabel={t('consoleContent.back')}
      step={publish}
      onDone={onDone}
      onFailure={(failure) => {
        if (!(failure instanceof CallFailed)) return false
        if (failure.code === 'content_broken') {
          onBroken(failure.broken)
          onClose()
          return true
        }
        const at = failure.errors.find(({ path }) => path === 'publishAt' || path === 'zone')
        setRefusal(at?.message)
        return at !== undefined
      }}
      onClose={onClose}
    >
      <div className={styles.publish}>
        <fieldset className={styles.when}>
          <legend>{t('consoleContent.publish.when')}</legend>
          {[false, true].map((later) => (
            <label key={String(later)}>
              <input type="radio" name="when" checked={isLater === later} onChange={() => setLater(later)} />
              {t(later ? 'consoleContent.publish.later' : 'consoleContent.publish.atOnce')}
            </label>
          ))}
        </fieldset>
        {isLater && <ScheduleFields of={schedule} refusal={refusal} />}
        {legal && (
          <fieldset className={styles.when}>
            <legend>{t('consoleContent.newVersion')}</legend>
            <p>{t('consoleContent.newVersion.text')}</p>
            {legalDocuments.map((document) => (
              <Checkbox
                key={document}
                label={t(newVersionWords[document], { version: legal[document] })}
                checked={newVersions.includes(document)}
                onChange={({ target }) =>
                  setNewVersions(
                    target.checked
                      ? [...newVersions, document]
                      : newVersions.filter((each) => each !== document),
                  )
                }
              />
            ))}
          </fieldset>
        )}
        {isNothing && (
          <Message kind="note" role="status">
            <p>{t('consoleContent.publish.nothing')}</p>
          </Message>
        )}
        {changesOfficial && (
          <Message kind="note">
            <p>
              {t(lacksRight ? 'consoleContent.publish.official.propose' : 'consoleContent.publish.official')}
            </p>
          </Message>
        )}
        {takesTwo && !lacksRight && (
          <Message kind="note">
            <p>{t('consoleContent.publish.takesTwo')}</p>
          </Message>
        )}
        {!isNothing &&
          pieces.map(({ piece, changes }) => (
            <section key={piece} className={styles.changes}>
              {pieces.length > 1 && <h3>{nameOfPiece(piece)}</h3>}
              <ChangeView piece={piece} changes={changes} before={t('consoleContent.nowPublished')} />
            </section>
          ))}
      </div>
    </ConfirmDialog>
  )
}
