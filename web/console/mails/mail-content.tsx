import type { ConsoleMailDetail } from '#contract/platform/console-mails.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { MailFrame } from './mail-frame.tsx'
import styles from './mails.module.css'

const mark = '••••••'

/** The email as its recipient sees it, with secrets redacted. */
export function MailContent({ mail }: { mail: ConsoleMailDetail }) {
  const { t, language } = useMessages()
  const { content } = mail
  if (!mail.mayAct) return <p>{t('consoleMails.look.level')}</p>
  if (!content) return <p>{t('consoleMails.look.old')}</p>
  return (
    <div className={styles.content}>
      <p className={styles.quiet}>
        {t(content.isTemplate ? 'consoleMails.look.template' : 'consoleMails.look.covered', { mark })}
      </p>
      <MailFrame html={content.html} language={mail.language ?? language} title={t('consoleMails.frame')} />
      <details>
        <summary>{t('consoleMails.asText')}</summary>
        <pre className={styles.text}>{content.text}</pre>
      </details>
    </div>
  )
}
