import { DocumentFacts } from '../../../documents/document-facts.tsx'
import { linkToDocument } from '../../../documents/link-to-document.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import section from '../../../ui/page-section.module.css'
import type { HelpFacts } from '../help-facts.ts'
import { ManualCover } from './manual-cover.tsx'
import styles from './manuals-section.module.css'

export function ManualsSection({ manuals }: { manuals: HelpFacts['manuals'] }) {
  const { t } = useMessages()
  return (
    <section
      id="manuals"
      className={`${section.section} ${styles.manuals}`}
      aria-labelledby="manuals-heading"
    >
      <h2 id="manuals-heading">{t('help.manuals.heading')}</h2>
      <p className={styles.intro}>{t('help.manuals.intro')}</p>
      <ol className={styles.list}>
        {manuals.map(({ id, title, description, file }, at) => (
          <li key={id}>
            <ManualCover at={at} className={styles.cover} />
            <h3>
              <a {...linkToDocument(file)} download aria-label={t('help.manuals.download', { title })}>
                {title}
                <svg viewBox="0 0 14 16" width="14" height="16" aria-hidden="true">
                  <path d="M7 1v10M3 7.5 7 11.5l4-4M1 15h12" />
                </svg>
              </a>
            </h3>
            <p>{description}</p>
            <DocumentFacts file={file} className={styles.facts} />
          </li>
        ))}
      </ol>
    </section>
  )
}
