import { useWords } from '../../i18n/words.tsx'

/** The code of a failure, as whoever runs the mail server will ask for it. */
export function ServerSaid({ code, step }: { code: string | null; step: string | null }) {
  const { t } = useWords()
  if (!code) return null
  if (step === 'REPORT') return t('consoleMails.reported', { code })
  if (!/^\d/.test(code)) return t('consoleMails.error', { code })
  return step ? t('consoleMails.saidAt', { code, step }) : t('consoleMails.said', { code })
}
