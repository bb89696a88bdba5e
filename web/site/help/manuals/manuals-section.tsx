import { Woven } from '../../../kernel/brand/woven.tsx'
import { DocumentFacts } from '../../../kernel/documents/document-facts.tsx'
import { linkToDocument } from '../../../kernel/documents/link-to-document.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import section from '../../../kernel/ui/page-section.module.css'
import type { HelpFacts } from '../help-facts.ts'
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

/** Number of petals of the flower on each cover. */
const petals = [14, 16, 15, 20, 12, 24, 10, 21, 9, 18]
const inks = [styles.copper, styles.verdigris, styles.paper]

/** A thumbnail of a manual's first page: the dark header with its flower, and lines for the text. */
function ManualCover({ at, className }: { at: number; className?: string | undefined }) {
  const lobes = petals[at % petals.length]!
  return (
    <svg className={className} viewBox="0 0 60 84" width="60" height="84" aria-hidden="true">
      <rect className={styles.page} x="0.5" y="0.5" width="59" height="83" />
      <svg x="0" y="0" width="60" height="30" viewBox="0 0 60 30" className={styles.head} data-ground="dark">
        <rect width="60" height="30" />
        <g transform="translate(47 13) scale(0.24)" className={inks[at % inks.length]}>
          <Woven
            figure={{ inner: 34, outer: 98, lobes, lean: 6 }}
            times={8}
            twist={120 / lobes / 8}
            shrink={0.03}
          />
        </g>
      </svg>
      <path className={styles.text} d="M8 40h30M8 47h44M8 52h42M8 57h44M8 62h20M8 70h44M8 75h36" />
    </svg>
  )
}
