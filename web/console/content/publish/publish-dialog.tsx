import { useState } from 'react'
import { legalDocuments, type LegalDocument } from '#contract/people/consents.ts'
import {
  publishContent,
  scheduleContent,
  type ContentItemDetail,
  type ContentRelease,
} from '#contract/publishing/console-content.ts'
import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { ScheduleFields } from '../../../announcements/schedule/schedule-fields.tsx'
import { useSchedule } from '../../../announcements/schedule/use-schedule.ts'
import { call, CallFailed } from '../../../kernel/call/call.ts'
import { ConfirmDialog } from '../../../kernel/forms/confirm-dialog.tsx'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Checkbox, RadioField } from '../../../kernel/ui/field.tsx'
import { Message } from '../../../kernel/ui/form-status.tsx'
import { useSession } from '../../../kernel/session/session.ts'
import { ChangeView } from '../change-view.tsx'
import styles from './publish.module.css'
import { useItemName } from '../item-labels.ts'

type Reviewed = { pieces: readonly ContentItemDetail[]; newVersions: readonly LegalDocument[] }

/** What publishing these drafts requires of the current editor. */
function useReview({ pieces, newVersions }: Reviewed) {
  const { member } = useSession()
  const twoPersons = pieces[0]?.twoPersons ?? []
  const changesOfficial = pieces.some((each) => each.changesOfficial)
  const lacksRight = changesOfficial && !(member !== null && levelOf(member, 'coins') >= 2)
  const needsApproval =
    lacksRight ||
    pieces.some(({ sensitive }) => sensitive.some((kind) => twoPersons.includes(kind))) ||
    (newVersions.length > 0 && twoPersons.includes('legal'))
  const isEmpty = newVersions.length === 0 && pieces.every(({ changes }) => changes.length === 0)
  return { changesOfficial, lacksRight, needsApproval, isEmpty }
}

const times = ['atOnce', 'later'] as const

type Props = {
  pieces: readonly ContentItemDetail[]
  onDone: (release: ContentRelease) => void
  /** A content rule is now broken, so nothing was published. */
  onBroken: (problems: readonly ContentProblem[]) => void
  onClose: () => void
}

/** A review of the changes to publish, now or at a scheduled time. */
export function PublishDialog({ pieces, onDone, onBroken, onClose }: Props) {
  const { t } = useMessages()
  const nameOfItem = useItemName()
  const [time, setTime] = useState<(typeof times)[number]>('atOnce')
  const isLater = time === 'later'
  const schedule = useSchedule(null)
  const [newVersions, setNewVersions] = useState<readonly LegalDocument[]>([])
  const [serverError, setServerError] = useState<string>()
  const review = useReview({ pieces, newVersions })
  const publish = () => {
    if (review.isEmpty) return null
    const versions = pieces.map(({ piece, version }) => ({ piece, version }))
    const body = { pieces: versions, newVersions: [...newVersions] }
    if (!isLater) return call(publishContent, { body })
    const chosen = schedule.read()
    return chosen && call(scheduleContent, { body: { ...body, ...chosen } })
  }
  const showFailure = (failure: unknown): boolean => {
    if (!(failure instanceof CallFailed)) return false
    if (failure.code === 'content_broken') {
      onBroken(failure.broken)
      onClose()
      return true
    }
    const at = failure.errors.find(({ path }) => path === 'publishAt' || path === 'zone')
    setServerError(at?.message)
    return at !== undefined
  }
  const step = review.needsApproval ? 'propose' : isLater ? 'schedule' : 'now'
  const [first] = pieces
  return (
    <ConfirmDialog
      title={
        pieces.length === 1
          ? t('consoleContent.publish.title', { name: nameOfItem(first!.piece) })
          : t('consoleContent.publish.several', { count: pieces.length })
      }
      label={t(`consoleContent.publish.${step}`)}
      dismissLabel={t('consoleContent.back')}
      step={publish}
      onDone={onDone}
      onFailure={showFailure}
      onClose={onClose}
    >
      <div className={styles.publish}>
        <RadioField
          label={t('consoleContent.publish.when')}
          options={times.map((value) => ({ value, label: t(`consoleContent.publish.${value}`) }))}
          chosen={time}
          onChoose={setTime}
        />
        {isLater && <ScheduleFields of={schedule} serverError={serverError} />}
        <NewVersions pieces={pieces} newVersions={newVersions} onChange={setNewVersions} />
        <Review pieces={pieces} {...review} />
      </div>
    </ConfirmDialog>
  )
}

/** For legal texts: which of them get a new version, so that members are asked to accept it. */
function NewVersions({
  pieces,
  newVersions,
  onChange,
}: Reviewed & { onChange: (newVersions: readonly LegalDocument[]) => void }) {
  const { t } = useMessages()
  const legal = pieces.find((piece) => piece.legal !== null)?.legal
  if (!legal) return null
  const others = (document: LegalDocument) => newVersions.filter((each) => each !== document)
  return (
    <fieldset className={styles.when}>
      <legend>{t('consoleContent.newVersion')}</legend>
      <p>{t('consoleContent.newVersion.text')}</p>
      {legalDocuments.map((document) => (
        <Checkbox
          key={document}
          label={t(`consoleContent.newVersion.${document}`, { version: legal[document] })}
          checked={newVersions.includes(document)}
          onChange={({ target }) =>
            onChange(target.checked ? [...others(document), document] : others(document))
          }
        />
      ))}
    </fieldset>
  )
}

/** The changes, and what is required to publish them. */
function Review({
  pieces,
  changesOfficial,
  lacksRight,
  needsApproval,
  isEmpty,
}: Pick<Reviewed, 'pieces'> & ReturnType<typeof useReview>) {
  const { t } = useMessages()
  const nameOfItem = useItemName()
  return (
    <>
      {isEmpty && (
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
      {needsApproval && !lacksRight && (
        <Message kind="note">
          <p>{t('consoleContent.publish.takesTwo')}</p>
        </Message>
      )}
      {!isEmpty &&
        pieces.map(({ piece, changes }) => (
          <section key={piece} className={styles.changes}>
            {pieces.length > 1 && <h3>{nameOfItem(piece)}</h3>}
            <ChangeView piece={piece} changes={changes} before={t('consoleContent.nowPublished')} />
          </section>
        ))}
    </>
  )
}
