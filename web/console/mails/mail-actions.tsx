import { useState } from 'react'
import { sendMailAgain, stopMail, type ConsoleMailDetail } from '#contract/console-mails.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import styles from './mails.module.css'

/** The actions available for the email. If an action is unavailable, the reason is shown instead. */
export function MailActions({ mail, onChanged }: { mail: ConsoleMailDetail; onChanged: () => void }) {
  const { t } = useMessages()
  const [openDialog, setOpenDialog] = useState<'again' | 'stop'>()
  const { id, to, mayAct, againObstacle, stopObstacle } = mail
  if (!mayAct) return null
  const isWaiting = mail.state === 'waiting' || mail.state === 'retrying'
  const close = () => setOpenDialog(undefined)
  return (
    <div className={styles.buttons}>
      {!againObstacle && (
        <Button onClick={() => setOpenDialog('again')}>
          {t(isWaiting ? 'consoleMails.now' : 'consoleMails.again')}
        </Button>
      )}
      {!stopObstacle && (
        <Button kind="danger" onClick={() => setOpenDialog('stop')}>
          {t('consoleMails.stopEllipsis')}
        </Button>
      )}
      {openDialog === 'again' && (
        <ConfirmDialog
          title={t('consoleMails.againTitle')}
          label={t(isWaiting ? 'consoleMails.now' : 'consoleMails.again')}
          step={() => call(sendMailAgain, { body: { id } })}
          onDone={() => {
            onChanged()
            showNotice(t('consoleMails.againDone'), 'success')
          }}
          onClose={close}
        >
          <p>{t('consoleMails.againText', { to })}</p>
        </ConfirmDialog>
      )}
      {openDialog === 'stop' && (
        <ConfirmDialog
          title={t('consoleMails.stopTitle')}
          label={t('consoleMails.stop')}
          kind="danger"
          dismissLabel={t('consoleMails.stopKeep')}
          step={() => call(stopMail, { body: { id } })}
          onDone={() => {
            onChanged()
            showNotice(t('consoleMails.stopDone'), 'success')
          }}
          onClose={close}
        >
          <p>{t('consoleMails.stopText', { to })}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
