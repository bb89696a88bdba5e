import type { ConsoleMailDetail } from '#contract/console-mails.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Message } from '../../ui/form-status.tsx'
import { MailServerResponse } from './mail-server-response.tsx'

/** Why the email has not been delivered, what staff can do, and what happens automatically. */
export function MailFailureNote({ mail }: { mail: ConsoleMailDetail }) {
  const { t, formatDateTime } = useMessages()
  const { trouble, code, state, nextTryAt, againObstacle } = mail
  if (!trouble) return null
  const step = mail.tries.findLast((each) => each.code !== null)?.step ?? null
  return (
    <Message kind={state === 'failed' ? 'bad' : 'note'}>
      <p>
        <strong>{t(`consoleMails.trouble.${trouble}`)}</strong>
      </p>
      <p>{t(`consoleMails.trouble.${trouble}.help`)}</p>
      <p>
        <MailServerResponse code={code} step={step} />
      </p>
      <p>
        {nextTryAt && t('consoleMails.nextTryAt', { time: formatDateTime(nextTryAt) })}
        {state === 'failed' && t('consoleMails.noMoreTries')}
      </p>
      {state === 'failed' && againObstacle && (
        <p>
          {t('consoleMails.cannot')} {t(`errors.${againObstacle}`)}
        </p>
      )}
    </Message>
  )
}
