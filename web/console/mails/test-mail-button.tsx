import { useState } from 'react'
import { sendTestMail } from '#contract/console-mails.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormStatus, Message } from '../../ui/form-status.tsx'
import { MailServerResponse } from './mail-server-response.tsx'

type Answer = OutputOf<typeof sendTestMail>

/** Sends an email to the signed-in member and shows the mail server's response. */
export function TestMailButton({ email }: { email: string }) {
  const { t } = useMessages()
  const [isOpen, setIsOpen] = useState(false)
  const [answer, setAnswer] = useState<Answer>()
  const { isBusy, error, run, reset } = useAction()
  const close = () => {
    setIsOpen(false)
    setAnswer(undefined)
    reset()
  }
  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)}>
        {t('consoleMails.test')}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => !isBusy && close()}
        title={t('consoleMails.test.title')}
        actions={
          <>
            <Button kind="quiet" disabled={isBusy} onClick={close}>
              {t('consoleMails.test.close')}
            </Button>
            {!answer && (
              <Button
                busy={isBusy}
                busyLabel={t('consoleMails.test.sending')}
                onClick={() => void run(async () => setAnswer(await call(sendTestMail, { body: null })))}
              >
                {t('consoleMails.test.send')}
              </Button>
            )}
          </>
        }
      >
        {answer ? <Outcome answer={answer} /> : <p>{t('consoleMails.test.text', { email })}</p>}
        <FormStatus error={error} />
      </Dialog>
    </>
  )
}

function Outcome({ answer }: { answer: Answer }) {
  const { t } = useMessages()
  const { outcome, trouble, to, id } = answer
  return (
    <Message kind={outcome === 'sent' ? 'good' : outcome === 'failed' ? 'bad' : 'note'} role="status">
      {outcome === 'sent' && <p>{t('consoleMails.test.sent', { to })}</p>}
      {outcome === 'waiting' && <p>{t('consoleMails.test.waiting')}</p>}
      {outcome === 'failed' && (
        <>
          <p>
            <strong>{t('consoleMails.test.failed')}</strong>{' '}
            {trouble && t(`consoleMails.trouble.${trouble}.help`)}
          </p>
          <p>
            <MailServerResponse {...answer} />
          </p>
        </>
      )}
      <p>
        <a href={pathTo('console.mail', { id })}>{t('consoleMails.test.open')}</a>
      </p>
    </Message>
  )
}
