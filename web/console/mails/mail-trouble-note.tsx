import type { ConsoleMailDetail } from '#contract/console-mails.ts'
import { refusalWords } from '../../i18n/refusal-words.ts'
import { useWords } from '../../i18n/words.tsx'
import { Message } from '../../ui/form-status.tsx'
import { troubleWords } from './mail-words.ts'
import { ServerSaid } from './server-said.tsx'

/** Why the mail has not arrived, what can be done, and what the program does by itself. */
export function MailTroubleNote({ mail }: { mail: ConsoleMailDetail }) {
  const { t, formatDateTime } = useWords()
  const { trouble, code, state, nextTryAt, againObstacle } = mail
  if (!trouble) return null
  const step = mail.tries.findLast((each) => each.code !== null)?.step ?? null
  return (
    <Message kind={state === 'failed' ? 'bad' : 'note'}>
      <p>
        <strong>{t(troubleWords[trouble].title)}.</strong> {t(troubleWords[trouble].help)}
      </p>
      <p>
        <ServerSaid code={code} step={step} />
      </p>
      <p>
        {nextTryAt && t('consoleMails.nextTryAt', { time: formatDateTime(nextTryAt) })}
        {state === 'failed' && t('consoleMails.noMoreTries')}
      </p>
      {state === 'failed' && againObstacle && (
        <p>
          {t('consoleMails.cannot')} {t(refusalWords[againObstacle])}
        </p>
      )}
    </Message>
  )
}
