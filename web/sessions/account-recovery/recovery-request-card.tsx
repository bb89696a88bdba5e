import { useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import {
  approveRecoveryRequest,
  rejectRecoveryRequest,
  how,
  verifyRecoveryRequest,
  type RecoveryRequest,
} from '#contract/account-recovery.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormTextArea } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Tag } from '../../ui/tag.tsx'
import styles from './account-recovery.module.css'

type Props = {
  request: RecoveryRequest
  staffId: string
  onChanged: (request: RecoveryRequest) => void
  onGone: () => void
}

const states = {
  asked: { colour: 'yellow', words: 'lostFactors.state.asked' },
  opened: { colour: 'verdigris', words: 'lostFactors.state.opened' },
  confirmed: { colour: 'green', words: 'lostFactors.state.confirmed' },
} as const

/** One recovery request: who made it, what was recorded, and the actions available to the reader. */
export function RecoveryRequestCard({ request, staffId, onChanged, onGone }: Props) {
  const { t, formatDateTime } = useMessages()
  const [openDialog, setOpenDialog] = useState<'confirm' | 'decline'>()
  const { id, member, state, openedBy, openedAt, takesEffectAt } = request
  const name = member.name || member.email
  const isOwn = member.id === staffId
  const isOpener = openedBy?.id === staffId
  const decline = (
    <Button
      kind="danger"
      aria-label={t('lostFactors.declineNamed', { name })}
      onClick={() => setOpenDialog('decline')}
    >
      {t('lostFactors.decline')}
    </Button>
  )
  return (
    <li className={styles.request}>
      <div className={styles.head}>
        <h2>{name}</h2>
        <Tag colour={states[state].colour}>{t(states[state].words)}</Tag>
      </div>
      <p>{t('lostFactors.asked', { email: member.email, time: formatDateTime(request.askedAt) })}</p>
      {openedBy && openedAt && (
        <>
          <p>{t('lostFactors.opened', { name: openedBy.name, time: formatDateTime(openedAt) })}</p>
          <blockquote className={styles.quote}>{request.how}</blockquote>
        </>
      )}
      {takesEffectAt && request.confirmedBy && (
        <p>
          {t('lostFactors.confirmed', {
            name: request.confirmedBy.name,
            time: formatDateTime(takesEffectAt),
          })}
        </p>
      )}
      {isOwn && <p>{t('lostFactors.own')}</p>}
      {!isOwn && state === 'asked' && <OpenForm request={request} onOpened={onChanged} beside={decline} />}
      {!isOwn && state === 'opened' && isOpener && <p>{t('lostFactors.another')}</p>}
      {!isOwn && state !== 'asked' && (
        <div className={styles.actions}>
          {state === 'opened' && !isOpener && (
            <Button onClick={() => setOpenDialog('confirm')}>{t('lostFactors.confirm')}</Button>
          )}
          {decline}
        </div>
      )}
      {openDialog === 'confirm' && (
        <ConfirmDialog
          title={t('lostFactors.confirmTitle', { name })}
          label={t('lostFactors.confirm')}
          step={() => call(approveRecoveryRequest, { body: { id } })}
          onDone={(changed) => {
            onChanged(changed)
            showNotice(t('lostFactors.confirmedNotice'), 'success')
          }}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>{t('lostFactors.confirmText')}</p>
          <blockquote className={styles.quote}>{request.how}</blockquote>
        </ConfirmDialog>
      )}
      {openDialog === 'decline' && (
        <ConfirmDialog
          title={t('lostFactors.declineTitle', { name })}
          label={t('lostFactors.decline')}
          kind="danger"
          step={() => call(rejectRecoveryRequest, { body: { id } })}
          onDone={() => {
            onGone()
            showNotice(t('lostFactors.declinedNotice'), 'success')
          }}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>{t('lostFactors.declineText')}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

const opening = z.object({ how })

function OpenForm({
  request,
  onOpened,
  beside,
}: {
  request: RecoveryRequest
  onOpened: (request: RecoveryRequest) => void
  beside: ReactNode
}) {
  const { t } = useMessages()
  const openForm = useContractForm({
    schema: opening,
    labels: { how: 'lostFactors.how' },
    submit: async (given) => {
      onOpened(await call(verifyRecoveryRequest, { body: { id: request.id, ...given } }))
      showNotice(t('lostFactors.openedNotice'), 'success')
    },
  })
  return (
    <div className={styles.form}>
      <FormFrame
        of={openForm}
        label={t('lostFactors.openNamed', { name: request.member.name || request.member.email })}
        submitLabel={t('lostFactors.open')}
        busyLabel={t('forms.saving')}
        beside={beside}
      >
        <FormTextArea of={openForm} name="how" help={t('lostFactors.howHelp')} />
      </FormFrame>
    </div>
  )
}
