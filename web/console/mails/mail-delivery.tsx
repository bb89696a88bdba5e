import { useState } from 'react'
import { setMailDelivery } from '#contract/platform/console-mails.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call } from '../../kernel/call/call.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Dialog } from '../../kernel/ui/dialog.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import styles from './mails.module.css'

type Props = { pausedAt: string | null; onChange: (pausedAt: string | null) => void }

/** Whether emails are delivered. Administrators can pause and resume it. */
export function MailDelivery({ pausedAt, onChange }: Props) {
  const { t, language } = useMessages()
  const { member } = useSession()
  const mayChange = member?.isWriteAccessAdmin === true
  const { isBusy, error, run, reset } = useAction()
  const [isOpen, setOpen] = useState(false)
  const set = (paused: boolean) =>
    run(async () => {
      const delivery = await call(setMailDelivery, { body: { paused } })
      setOpen(false)
      onChange(delivery.pausedAt)
    })
  if (pausedAt !== null)
    return (
      <div className={styles.delivery}>
        <Message kind="note" role="status">
          <p>{t('consoleMails.paused.since', { time: formatMoment(pausedAt, language) })}</p>
          {mayChange && (
            <Button kind="quiet" busy={isBusy} onClick={() => void set(false)}>
              {t('consoleMails.resume')}
            </Button>
          )}
          <FormStatus error={error} />
        </Message>
      </div>
    )
  if (!mayChange) return null
  const close = () => {
    setOpen(false)
    reset()
  }
  return (
    <div className={styles.delivery}>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {t('consoleMails.pause')}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => !isBusy && close()}
        title={t('consoleMails.pause.title')}
        actions={
          <>
            <Button kind="quiet" disabled={isBusy} onClick={close}>
              {t('consoleMails.pause.cancel')}
            </Button>
            <Button kind="danger" busy={isBusy} onClick={() => void set(true)}>
              {t('consoleMails.pause.confirm')}
            </Button>
          </>
        }
      >
        <p>{t('consoleMails.pause.text')}</p>
        <FormStatus error={error} />
      </Dialog>
    </div>
  )
}
