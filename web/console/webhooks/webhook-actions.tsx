import { useState } from 'react'
import {
  deleteWebhook,
  rotateWebhookSecret,
  setWebhookState,
  testWebhook,
  type Webhook,
} from '#contract/webhooks.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { navigate } from '../../navigation/navigate.ts'
import { pathTo } from '../../routes/routes.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { HoursDialog } from './hours-dialog.tsx'
import { WebhookDialog, WebhookSecret } from './webhook-dialog.tsx'
import styles from './webhooks.module.css'

const overlaps = [0, 24, 168] as const

type Props = { webhook: Webhook; onChanged: () => void }
type OpenDialog = 'edit' | 'rotate' | 'delete'

export function WebhookActions({ webhook, onChanged }: Props) {
  const { t } = useMessages()
  const { id, state } = webhook
  const isActive = state === 'active'
  const { isBusy, error, run } = useAction()
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const done = (notice: string) => {
    onChanged()
    showNotice(notice, 'success')
  }
  const become = async () => {
    await call(setWebhookState, { body: { id, state: isActive ? 'paused' : 'active' } })
    done(t(isActive ? 'webhooks.paused' : 'webhooks.resumed'))
  }
  const test = async () => {
    await call(testWebhook, { body: { id } })
    done(t(isActive ? 'webhooks.tested' : 'webhooks.testWaits'))
  }
  return (
    <div>
      <div className={styles.buttons}>
        <Button kind={isActive ? 'quiet' : 'primary'} disabled={isBusy} onClick={() => void run(become)}>
          {t(isActive ? 'webhooks.pause' : 'webhooks.resume')}
        </Button>
        <Button kind={isActive ? 'primary' : 'quiet'} disabled={isBusy} onClick={() => void run(test)}>
          {t('webhooks.test')}
        </Button>
        {(['edit', 'rotate', 'delete'] as const).map((what) => (
          <Button
            key={what}
            kind={what === 'delete' ? 'danger' : 'quiet'}
            onClick={() => setOpenDialog(what)}
          >
            {t(`webhooks.${what}`)}
          </Button>
        ))}
      </div>
      <FormStatus error={error} />
      <WebhookActionDialog
        webhook={webhook}
        openDialog={openDialog}
        onSaved={() => done(t('webhooks.saved'))}
        onChanged={onChanged}
        onClose={() => setOpenDialog(undefined)}
      />
    </div>
  )
}

type DialogProps = Props & { openDialog: OpenDialog | undefined; onSaved: () => void; onClose: () => void }

function WebhookActionDialog({ webhook, openDialog, onSaved, onChanged, onClose }: DialogProps) {
  const { t } = useMessages()
  const { id, waiting } = webhook
  const [secret, setSecret] = useState<string>()
  const close = () => {
    setSecret(undefined)
    onChanged()
  }
  if (secret) return <WebhookSecret secret={secret} onClose={close} />
  if (openDialog === 'edit') return <WebhookDialog webhook={webhook} onDone={onSaved} onClose={onClose} />
  if (openDialog === 'rotate')
    return (
      <HoursDialog
        title={t('webhooks.rotateTitle')}
        label={t('webhooks.rotateDo')}
        text={t('webhooks.rotateText')}
        choice={t('webhooks.overlap')}
        options={overlaps.map((hours) => ({ hours, label: t(`webhooks.overlap.${hours}`) }))}
        step={(overlapHours) => call(rotateWebhookSecret, { body: { id, overlapHours } })}
        onDone={(rotated) => setSecret(rotated.secret)}
        onClose={onClose}
      />
    )
  if (openDialog === 'delete')
    return (
      <ConfirmDialog
        title={t('webhooks.deleteTitle')}
        label={t('webhooks.deleteDo')}
        kind="danger"
        step={() => call(deleteWebhook, { body: { id } })}
        onDone={() => {
          showNotice(t('webhooks.deleted'), 'success')
          void navigate(pathTo('console.webhooks'))
        }}
        onClose={onClose}
      >
        <p>{t('webhooks.deleteText', { waiting })}</p>
      </ConfirmDialog>
    )
  return null
}
