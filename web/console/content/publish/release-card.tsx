import { useState } from 'react'
import {
  cancelContentRelease,
  confirmContentRelease,
  type ContentRelease,
} from '#contract/publishing/console-content.ts'
import { call, CallFailed } from '../../../kernel/call/call.ts'
import { ConfirmDialog } from '../../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { staffName } from '../../../kernel/i18n/staff-name.ts'
import { showNotice } from '../../../kernel/notices/notices.ts'
import { Button } from '../../../kernel/ui/button.tsx'
import { TextArea } from '../../../kernel/ui/field.tsx'
import { Message } from '../../../kernel/ui/form-status.tsx'
import { Tag } from '../../../kernel/ui/tag.tsx'
import { ChangeView } from '../change-view.tsx'
import styles from './publish.module.css'
import { pathToItem } from '../item-address.ts'
import { useItemName } from '../item-labels.ts'

const reasonSchema = cancelContentRelease.body.shape.reason.def.innerType

/** How to end a pending release: withdraw your own proposal, decline another one, or cancel a schedule. */
type Ending = 'withdraw' | 'decline' | 'cancel'
const doneMessages: Readonly<Record<Ending, PlainKey>> = {
  withdraw: 'consoleContent.release.withdrawn',
  decline: 'consoleContent.release.declined',
  cancel: 'consoleContent.release.cancelled',
}

type Props = { release: ContentRelease; memberId: string; mayWrite: boolean; onDecided: () => void }

/** A release that awaits approval or its publication time, with its changes and the available actions. */
export function ReleaseCard(props: Props) {
  const { t, language } = useMessages()
  const { release, memberId, mayWrite } = props
  const { state, by, publishAt } = release
  return (
    <article className={styles.release} aria-labelledby={`release-${release.id}`}>
      <ReleaseHead release={release} />
      {state === 'proposed' && publishAt && (
        <p>{t('consoleContent.release.at', { time: formatMoment(publishAt, language) })}</p>
      )}
      {release.changesOfficial && <p>{t('consoleContent.release.official')}</p>}
      <NewVersionsNote release={release} />
      <details className={styles.fold}>
        <summary>{t('consoleContent.release.changes')}</summary>
        <ReleaseChanges release={release} />
      </details>
      {by?.id === memberId && state === 'proposed' && <p>{t('consoleContent.release.own')}</p>}
      {mayWrite && <Actions {...props} />}
    </article>
  )
}

function ReleaseHead({ release: { id, state, pieces, publishAt, by, at } }: Pick<Props, 'release'>) {
  const { t, language, formatDateTime } = useMessages()
  const nameOfItem = useItemName()
  const name = by ? staffName(by.name, language) : t('consoleContent.somebody')
  return (
    <>
      <div className={styles.releaseHead}>
        <h2 id={`release-${id}`}>{pieces.map(nameOfItem).join(t('forms.missing.separator'))}</h2>
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
          time: formatDateTime(at),
        })}
      </p>
    </>
  )
}

function NewVersionsNote({ release: { newVersions } }: Pick<Props, 'release'>) {
  const { t } = useMessages()
  if (newVersions.length === 0) return null
  const names = newVersions.map((each) => t(`consoleContent.${each}`)).join(t('forms.missing.separator'))
  return (
    <Message kind="note">
      <p>{t('consoleContent.release.newVersions', { names })}</p>
    </Message>
  )
}

function ReleaseChanges({ release }: Pick<Props, 'release'>) {
  const nameOfItem = useItemName()
  return release.changes.map(({ piece, changes }) => (
    <section key={piece} className={styles.changes}>
      <h3>
        <a href={pathToItem(piece)}>{nameOfItem(piece)}</a>
      </h3>
      <ChangeView piece={piece} changes={changes} />
    </section>
  ))
}

function Actions({ release, memberId, onDecided }: Props) {
  const { t } = useMessages()
  const [dialog, setDialog] = useState<'confirm' | 'end'>()
  const { state, by, mayConfirm } = release
  const ending: Ending = state === 'scheduled' ? 'cancel' : by?.id === memberId ? 'withdraw' : 'decline'
  const props = {
    release,
    onDone: (message: PlainKey) => {
      showNotice(t(message), 'success')
      onDecided()
    },
    onClose: () => setDialog(undefined),
  }
  return (
    <>
      <div className={styles.actions}>
        {mayConfirm && state === 'proposed' && (
          <Button onClick={() => setDialog('confirm')}>{t('consoleContent.release.confirm')}</Button>
        )}
        <Button kind={ending === 'decline' ? 'danger' : 'quiet'} onClick={() => setDialog('end')}>
          {t(`consoleContent.release.${ending}`)}
        </Button>
      </div>
      {dialog === 'confirm' && <ApprovalDialog {...props} />}
      {dialog === 'end' && <EndDialog {...props} ending={ending} />}
    </>
  )
}

type DialogProps = {
  release: ContentRelease
  onDone: (message: PlainKey) => void
  onClose: () => void
}

function ApprovalDialog({ release, onDone, onClose }: DialogProps) {
  const { t, language } = useMessages()
  const { id, publishAt } = release
  return (
    <ConfirmDialog
      title={t('consoleContent.release.confirm.title')}
      label={t('consoleContent.release.confirm.now')}
      dismissLabel={t('consoleContent.back')}
      step={() => call(confirmContentRelease, { params: { id }, body: {} })}
      onDone={() => onDone('consoleContent.release.confirmed')}
      onClose={onClose}
    >
      <p>
        {publishAt
          ? t('consoleContent.release.at', { time: formatMoment(publishAt, language) })
          : t('consoleContent.release.confirm.text')}
      </p>
      <NewVersionsNote release={release} />
      <ReleaseChanges release={release} />
    </ConfirmDialog>
  )
}

function EndDialog({ release, ending, onDone, onClose }: DialogProps & { ending: Ending }) {
  const { t, language } = useMessages()
  const [reason, setReason] = useState('')
  const [isReasonMissing, setReasonMissing] = useState(false)
  const end = () => {
    const trimmedReason = reason.trim()
    const isMissing = ending === 'decline' && trimmedReason === ''
    setReasonMissing(isMissing)
    if (isMissing) return null
    return call(cancelContentRelease, { params: { id: release.id }, body: { reason: trimmedReason } })
  }
  return (
    <ConfirmDialog
      title={t(`consoleContent.release.${ending}.title`)}
      label={t(`consoleContent.release.${ending}.now`)}
      kind={ending === 'decline' ? 'danger' : 'primary'}
      dismissLabel={t('consoleContent.back')}
      step={end}
      onDone={() => onDone(doneMessages[ending])}
      onFailure={(failure) => {
        const isAtField =
          failure instanceof CallFailed && failure.errors.some(({ path }) => path === 'reason')
        setReasonMissing(isAtField)
        return isAtField
      }}
      onClose={onClose}
    >
      <p>{t('consoleContent.release.drafts')}</p>
      <p>{t('console.undo.none')}</p>
      {ending === 'decline' && (
        <TextArea
          label={t('consoleContent.release.reason')}
          help={t('consoleContent.release.reason.help', {
            name: release.by ? staffName(release.by.name, language) : t('consoleContent.somebody'),
          })}
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
  )
}
