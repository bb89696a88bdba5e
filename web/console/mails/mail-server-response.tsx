import { useMessages } from '../../kernel/i18n/messages.tsx'

/** The failure code, which the mail server's administrators will ask for. */
export function MailServerResponse({ code, step }: { code: string | null; step: string | null }) {
  const { t } = useMessages()
  if (!code) return null
  if (step === 'REPORT') return t('consoleMails.reported', { code })
  if (!/^\d/.test(code)) return t('consoleMails.error', { code })
  return step ? t('consoleMails.saidAt', { code, step }) : t('consoleMails.said', { code })
}
