import type { WhitePaper, WhitePaperFile, WhitePaperVersion } from '#contract/white-paper.ts'
import { htmlLanguage, languageName } from '../../i18n/language.ts'
import { useMessages, FormattedMessage } from '../../i18n/messages.tsx'
import styles from './white-paper.module.css'

/** The current version and earlier ones, each with its files and their hashes. */
export function WhitePaperVersions({ paper }: { paper: WhitePaper }) {
  const { t, formatDate } = useMessages()
  const [current, ...earlier] = paper.versions
  if (!current) return null
  return (
    <>
      <div className={styles.line}>
        <strong>
          {t('whitePaper.versions.current', {
            version: current.version,
            date: formatDate(current.date),
          })}
        </strong>
      </div>
      <Change of={current} />
      {paper.notifiedOn !== undefined && (
        <div className={styles.line}>
          {t('whitePaper.versions.notified', { date: formatDate(paper.notifiedOn) })}
        </div>
      )}
      <Files files={current.files} email={paper.issuer.email} />
      {current.files.length > 0 && <div className={styles.quiet}>{t('whitePaper.versions.compare')}</div>}
      {earlier.length > 0 && (
        <div>
          <h3>{t('whitePaper.earlier.heading')}</h3>
          <p>
            <strong>{t('whitePaper.earlier.text')}</strong>
          </p>
          {earlier.map((version) => (
            <section key={version.id} id={version.id}>
              <h4>
                {t('whitePaper.earlier.version', {
                  version: version.version,
                  date: formatDate(version.date),
                })}
              </h4>
              <Change of={version} />
              <Files files={version.files} email={paper.issuer.email} />
            </section>
          ))}
        </div>
      )}
    </>
  )
}

function Change({ of: { words } }: { of: WhitePaperVersion }) {
  const { t, language } = useMessages()
  const localized = words[language] ?? words.en
  return localized ? (
    <div className={styles.line}>{t('whitePaper.versions.change', { change: localized.change })}</div>
  ) : null
}

const kilobyte = 1000

/** The reader's language first. */
function Files({ files, email }: { files: readonly WhitePaperFile[]; email: string }) {
  const { t, language, formatNumber } = useMessages()
  if (files.length === 0)
    return (
      <div className={styles.line}>
        <FormattedMessage
          k="whitePaper.versions.noFile"
          values={{ email }}
          tags={{ mail: (words) => <a href={`mailto:${email}`}>{words}</a> }}
        />
      </div>
    )
  const sorted = files.toSorted((a, b) => Number(b.language === language) - Number(a.language === language))
  return (
    <ul className={styles.files}>
      {sorted.map((file) => (
        <li key={file.address}>
          <a href={file.address} hrefLang={htmlLanguage[file.language]} type="application/pdf">
            <FormattedMessage
              k="whitePaper.versions.open"
              values={{ language: languageName[file.language] }}
              tags={{ name: (words) => <span lang={htmlLanguage[file.language]}>{words}</span> }}
            />
          </a>
          <span className={styles.quiet}>
            {t('whitePaper.versions.file', {
              pages: file.pages,
              size: `${formatNumber(Math.ceil(file.bytes / kilobyte))} kB`,
            })}
          </span>
          <span className={styles.hash}>
            <span>{t('whitePaper.versions.hash')}</span> <code>{file.sha256}</code>
          </span>
        </li>
      ))}
    </ul>
  )
}
