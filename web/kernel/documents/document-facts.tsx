import { joinDate } from '../i18n/interpolate.ts'
import { locale } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.tsx'
import styles from './document-facts.module.css'
import type { DocumentFile } from './find-document.ts'

/** Details of a download, and its checksum for verification. */
export function DocumentFacts({ file, className }: { file: DocumentFile; className?: string | undefined }) {
  const { t, language, formatNumber } = useMessages()
  const month = new Intl.DateTimeFormat(locale[language], { year: 'numeric', month: 'long', timeZone: 'UTC' })
  const facts = [
    sizeOf(file.bytes, formatNumber),
    t('documents.pages', { count: file.pages }),
    t('documents.version', { version: file.version }),
  ]
  if (file.language !== language) facts.unshift(t('documents.english'))
  return (
    <div className={className ? `${styles.facts} ${className}` : styles.facts}>
      <div className={styles.lines}>
        <ul>
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <p>{joinDate(month.format(new Date(file.date)))}</p>
        <details className={styles.checksum}>
          <summary>{t('documents.checksum')}</summary>
          <p>{t('documents.checksumText')}</p>
          <code>{file.sha256}</code>
        </details>
      </div>
    </div>
  )
}

const kilobyte = 1000

/** Decimal units, as in file managers. */
function sizeOf(bytes: number, formatNumber: (value: number) => string): string {
  const kilobytes = bytes / kilobyte
  if (kilobytes < kilobyte) return `${formatNumber(Math.ceil(kilobytes))} kB`
  return `${formatNumber(Math.round(kilobytes / 100) / 10)} MB`
}
