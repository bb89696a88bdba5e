import { useState } from 'react'
import {
  cancelContentRelease,
  confirmContentRelease,
  type ContentRelease,
} from '#contract/console-content.ts'
import { call, CallFailed } from '../../../call/call.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../../forms/field-bounds.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'
import { useWords } from '../../../i18n/words.tsx'
import { showNotice } from '../../../notices/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { Message } from '../../../ui/form-status.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { ChangeView } from '../change-view.tsx'
import styles from './publish.module.css'
import { pathToPiece } from '../piece-address.ts'
import { usePieceName } from '../piece-words.ts'
import { legalNames } from './release-words.ts'

const reasonSchema = cancelContentRelease.body.shape.reason.def.innerType

/** How one ends what waits: one's own proposal, another's, or a schedule. */
type Ending = 'withdraw' | 'decline' | 'cancel'
const endings: Readonly<Record<Ending, Readonly<Record<'button' | 'title' | 'text' | 'done', PlainKey>>>> = {
  withdraw: {
    button: 'consoleContent.release.withdraw',
    title: 'consoleContent.release.withdraw.title',
    text: 'consoleContent.release.drafts',
    done: 'consoleContent.release.withdrawn',
  },
  decline: {
    button: 'consoleContent.release.decline',
    title: 'consoleContent.release.decline.title',
    text: 'consoleContent.release.drafts',
    done: 'consoleContent.release.declined',
  },
  cancel: {
    button: 'consoleContent.release.cancel',
    title: 'consoleContent.release.cancel.title',
    text: 'consoleContent.release.drafts',
    done: 'consoleContent.release.cancelled',
  },
}

/** What waits for a second person or for its time: what it changes, and what can be done with it. */
export function ReleaseCard({
  release,
  memberId,
  mayWrite,
  onDecided,
}: {
  release: ContentRelease
  memberId: string
  mayWrite: boolean
  onDecided: () => void
}) {
  const { t, formatDateTime, formatMoment } = useWords()
  const nameOfPiece = usePieceName()
  const [asking, setAsking] = useState<'confirm' | Ending>()
  const [reason, setReason] = useState('')
  const [isReasonMissing, setReasonMissing] = useState(false)
  const { id, state, by, publishAt, newVersions, mayConfirm } = release
  const isOwn = by?.id === memberId
  const ending: Ending = state === 'scheduled' ? 'cancel' : isOwn ? 'withdraw' : 'decline'
  const isConfirmable = mayConfirm && mayWrite && state === 'proposed'
  const name = by?.name || t('consoleContent.somebody')
  const decided = (words: PlainKey) => () => {
    showNotice(t(words), 'success')
    onDecided()
  }
  const end = () => {
    const given = reason.trim()
    if (ending === 'decline' && given === '') {
      setReasonMissing(true)
      return null
    }
    return call(cancelContentRelease, { params: { id }, body: { reason: given } })
  }
  const changes = release.changes.map((each) => (
    <section key={each.piece} className={styles.changes}>
      <h3>
        <a href={pathToPiece(each.piece)}>{nameOfPiece(each.piece)}</a>
      </h3>
      <ChangeView piece={each.piece} changes={each.changes} />
    </section>
  ))
  const asksMembers = newVersions.length > 0 && (
    <Message kind="note">
      <p>
        {t('consoleContent.release.newVersions', {
          names: newVersions.map((each) => t(legalNames[each])).join(t('forms.missing.separator')),
        })}
      </p>
    </Message>
  )
  return (
    <article className={styles.release} aria-labelledby={`release-${id}`}>
      <div className={styles.releaseHead}>
        <h2 id={`release-${id}`}>
          {release.pieces.map((piece) => nameOfPiece(piece)).join(t('forms.missing.separator'))}
        </h2>
        {state === 'proposed' ? (
          <Tag colour="yellow">{t('consoleContent.state.proposed')}</Tag>
        ) : (
          <Tag colour="verdigris">
            {t('consoleContent.state.scheduled', { time: formatDateTime(publishAt ?? '') })}
          </Tag>
        )}
      </div>
      <p>
        {t(state === 'scheduled' ? 'consoleContent.release.scheduledBy' : 'consoleContent.release.by', {
          name,
          time: formatDateTime(release.at),
        })}
      </p>
      {state === 'proposed' && publishAt && (
        <p>{t('consoleContent.release.at', { time: formatMoment(publishAt) })}</p>
      )}
      {release.changesOfficial && <p>{t('consoleContent.release.official')}</p>}
      {asksMembers}
      <details className={styles.fold}>
        <summary>{t('consoleContent.release.changes')}</summary>
        {changes}
      </details>
      {isOwn && state === 'proposed' && <p>{t('consoleContent.release.own')}</p>}
      {mayWrite && (
        <div className={styles.actions}>
          {isConfirmable && (
            <Button onClick={() => setAsking('confirm')}>{t('consoleContent.release.confirm')}</Button>
          )}
          <Button kind={ending === 'decline' ? 'danger' : 'quiet'} onClick={() => setAsking(ending)}>
            {t(endings[ending].button)}
          </Button>
        </div>
      )}
      {asking === 'confirm' && (
        <ConfirmDialog
          title={t('consoleContent.release.confirm.title')}
          label={t('consoleContent.release.confirm.now')}
          dismissLabel={t('consoleContent.back')}
          step={() => call(confirmContentRelease, { params: { id }, body: {} })}
          onDone={decided('consoleContent.release.confirmed')}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {publishAt
              ? t('consoleContent.release.at', { time: formatMoment(publishAt) })
              : t('consoleContent.release.confirm.text')}
          </p>
          {asksMembers}
          {changes}
        </ConfirmDialog>
      )}
      {asking && asking !== 'confirm' && (
        <ConfirmDialog
          title={t(endings[asking].title)}
          label={t(endings[asking].button)}
          kind={asking === 'decline' ? 'danger' : 'primary'}
          dismissLabel={t('consoleContent.back')}
          step={end}
          onDone={decided(endings[asking].done)}
          onFailure={(failure) => {
            const isAtField =
              failure instanceof CallFailed && failure.errors.some(({ path }) => path === 'reason')
            setReasonMissing(isAtField)
            return isAtField
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>{t(endings[asking].text)}</p>
          {asking === 'decline' && (
            <TextArea
              label={t('consoleContent.release.reason')}
              help={t('consoleContent.release.reason.help', { name })}
              error={isReasonMissing ? t('consoleContent.release.reason.missing') : undefined}
              value={reason}
              maxLength={boundsOf(reasonSchema).maxLength}
              onChange={({ target }) => {
                setReason(target.value)
                setReasonMissing(false)
              }}
            />
          )}
        </ConfirmDialog>
      )}
    </article>
  )
}
