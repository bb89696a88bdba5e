import { useId, useState } from 'react'
import {
  confirmMemberErasure,
  cancelMemberErasure,
  type ConsoleMemberDetail,
} from '#contract/console-members.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import styles from './members.module.css'

type Props = {
  member: ConsoleMemberDetail
  erasure: NonNullable<ConsoleMemberDetail['erasure']>
  mayAct: boolean
  onChanged: (member: ConsoleMemberDetail) => void
  onErased: () => void
}

/** A pending erasure: who started it and why, and when someone else can carry it out. */
export function ErasureNotice({ member, erasure, mayAct, onChanged, onErased }: Props) {
  const { t, formatMoment } = useMessages()
  const id = useId()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const { isBusy, error, run } = useAction()
  const params = { id: member.id }
  const [isDue] = useState(() => Date.now() >= Date.parse(erasure.dueAt))
  const cancelErasure = () =>
    run(async () => {
      onChanged(await call(cancelMemberErasure, { params }))
      showNotice(t('consoleMembers.erasure.dropDone'), 'success')
    })
  return (
    <section className={styles.erasure} aria-labelledby={id}>
      <h2 id={id}>{t('consoleMembers.erasure.heading')}</h2>
      <p>
        {t('consoleMembers.erasure.opened', {
          name: erasure.openedBy ?? t('console.formerColleague'),
          time: formatMoment(erasure.openedAt),
        })}
      </p>
      <blockquote>{erasure.reason}</blockquote>
      <p>{t('consoleMembers.erasure.due', { time: formatMoment(erasure.dueAt) })}</p>
      {erasure.isOwn && <p>{t('consoleMembers.erasure.own')}</p>}
      {mayAct && (
        <div className={styles.actions}>
          {isDue && !erasure.isOwn && (
            <Button kind="danger" onClick={() => setDialogOpen(true)}>
              {t('consoleMembers.erasure.confirm')}
            </Button>
          )}
          <Button kind="quiet" busy={isBusy} onClick={() => void cancelErasure()}>
            {t('consoleMembers.erasure.drop')}
          </Button>
        </div>
      )}
      <FormStatus error={error} />
      {isDialogOpen && (
        <ConfirmDialog
          title={t('consoleMembers.erasure.confirmTitle', { name: member.name || member.email })}
          label={t('consoleMembers.erasure.confirmLabel')}
          kind="danger"
          step={() => call(confirmMemberErasure, { params, body: null })}
          onDone={() => {
            showNotice(t('consoleMembers.erasure.confirmDone'), 'success')
            onErased()
          }}
          onClose={() => setDialogOpen(false)}
        >
          <p>{t('consoleMembers.erasure.confirmText')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
