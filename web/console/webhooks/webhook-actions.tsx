import { useState } from 'react'
import {
  deleteWebhook,
  overlapHoursDefault,
  rotateWebhookSecret,
  setWebhookState,
  testWebhook,
  type Webhook,
} from '#contract/webhooks.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../notices/notices.ts'
import { navigate } from '../../navigation/navigate.ts'
import { pathTo } from '../../routes/routes.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import styles from './webhooks.module.css'

const overlaps = [
  { hours: 0, words: 'webhooks.overlap.0' },
  { hours: overlapHoursDefault, words: 'webhooks.overlap.24' },
  { hours: 168, words: 'webhooks.overlap.168' },
] as const

type Props = { webhook: Webhook; onChanged: () => void }

export function WebhookActions({ webhook, onChanged }: Props) {
  const { t } = useWords()
  const { id, state, waiting } = webhook
  const { isBusy, error, run } = useAction()
  const [asked, setAsked] = useState<'edit' | 'rotate' | 'delete'>()
  const [secret, setSecret] = useState<string>()
  const close = () => setAsked(undefined)
  const done = (said: string) => {
    onChanged()
    showNotice(said, 'success')
  }
  const become = async (next: 'active' | 'paused') => {
    await call(setWebhookState, { body: { id, state: next } })
    done(t(next === 'paused' ? 'webhooks.paused' : 'webhooks.resumed'))
  }
  const test = async () => {
    await call(testWebhook, { body: { id } })
    done(t(state === 'active' ? 'webhooks.tested' : 'webhooks.testWaits'))
  }
  return (
    <div>
      <div className={styles.buttons}>
        {state === 'active' ? (
          <Button kind="quiet" disabled={isBusy} onClick={() => void run(() => become('paused'))}>
            {t('webhooks.pause')}
          </Button>
        ) : (
          <Button disabled={isBusy} onClick={() => void run(() => become('active'))}>
            {t('webhooks.resume')}
          </Button>
        )}
        <Button
          kind={state === 'active' ? 'primary' : 'quiet'}
          disabled={isBusy}
          onClick={() => void run(test)}
        >
          {t('webhooks.test')}
        </Button>
        <Button kind="quiet" onClick={() => setAsked('edit')}>
          {t('webhooks.edit')}
        </Button>
        <Button kind="quiet" onClick={() => setAsked('rotate')}>
          {t('webhooks.rotate')}
        </Button>
        <Button kind="danger" onClick={() => setAsked('delete')}>
          {t('webhooks.delete')}
        </Button>
      </div>
      <FormStatus error={error} />
      {asked === 'edit' && (
        <WebhookDialog webhook={webhook} onDone={() => done(t('webhooks.saved'))} onClose={close} />
      )}
      {asked === 'rotate' && <RotateDialog id={id} onDone={setSecret} onClose={close} />}
      {secret && (
        <SecretDialog
          secret={secret}
          onClose={() => {
            setSecret(undefined)
            onChanged()
          }}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={t('webhooks.deleteTitle')}
          label={t('webhooks.deleteDo')}
          kind="danger"
          step={() => call(deleteWebhook, { body: { id } })}
          onDone={() => {
            showNotice(t('webhooks.deleted'), 'success')
            void navigate(pathTo('console.webhooks'))
          }}
          onClose={close}
        >
          <p>{t('webhooks.deleteText', { waiting })}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function RotateDialog({
  id,
  onDone,
  onClose,
}: {
  id: string
  onDone: (secret: string) => void
  onClose: () => void
}) {
  const { t } = useWords()
  const [hours, setHours] = useState<number>(overlapHoursDefault)
  return (
    <ConfirmDialog
      title={t('webhooks.rotateTitle')}
      label={t('webhooks.rotateDo')}
      step={() => call(rotateWebhookSecret, { body: { id, overlapHours: hours } })}
      onDone={({ secret }) => onDone(secret)}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <p>{t('webhooks.rotateText')}</p>
        <Select
          label={t('webhooks.overlap')}
          value={hours}
          onChange={({ target }) => setHours(Number(target.value))}
        >
          {overlaps.map((each) => (
            <option key={each.hours} value={each.hours}>
              {t(each.words)}
            </option>
          ))}
        </Select>
      </div>
    </ConfirmDialog>
  )
}
