import { dayOfVersion, type LegalDocument } from '#contract/people/consents.ts'
import { useBrand } from '../../kernel/content/brand.tsx'
import { Rosette } from '../../kernel/brand/rosette.tsx'
import { WovenBand } from '../../kernel/brand/woven-band.tsx'
import { formatDate } from '../../kernel/i18n/interpolate.ts'
import { noticeOfEnglishLaw } from '../../kernel/i18n/missing-translations.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import type { KeyTaking, PlainKey } from '../../kernel/i18n/message-key.ts'
import { useLanguage, useMessages, FormattedMessage } from '../../kernel/i18n/messages.tsx'
import { PageHero } from '../../kernel/ui/page-hero.tsx'
import styles from './legal-text.module.css'

export type LegalSection = { id: string; heading: PlainKey; texts: readonly KeyTaking<'email'>[] }

/** A legal text typeset like a book: numbered sections, a table of contents next to them, and one column of text. */
export function LegalText({
  title,
  lead,
  updated,
  document,
  sections,
}: {
  title: PlainKey
  lead: PlainKey
  updated: KeyTaking<'date'>
  document: LegalDocument
  sections: readonly LegalSection[]
}) {
  const { t, language } = useMessages()
  const untranslated = noticeOfEnglishLaw(useLanguage().messages)
  const { email, legal } = useBrand()
  const written = (
    <>
      <PageHero
        heading={t(title)}
        lead={t(lead)}
        size="low"
        drawing={<WovenBand className={styles.band} />}
        above={
          <div className={styles.above}>
            <p className={styles.updated}>
              {t(updated, {
                date: formatDate(dayOfVersion(legal[document]), untranslated ? 'en' : language),
              })}
            </p>
            {untranslated && (
              <p className={styles.untranslated} lang={htmlLanguage[language]}>
                {untranslated}
              </p>
            )}
          </div>
        }
      />
      <div className={styles.book}>
        <nav className={styles.contents} aria-label={t(title)}>
          <ol>
            {sections.map(({ id, heading }) => (
              <li key={id}>
                <a href={`#${id}`}>{t(heading)}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div className={styles.text}>
          {sections.map(({ id, heading, texts }) => (
            <section key={id} id={id} aria-labelledby={`${id}-heading`}>
              <h2 id={`${id}-heading`}>{t(heading)}</h2>
              {texts.map((text) => (
                <p key={text}>
                  <FormattedMessage
                    k={text}
                    values={{ email }}
                    tags={{ link: (words) => <a href={`mailto:${email}`}>{words}</a> }}
                  />
                </p>
              ))}
            </section>
          ))}
          <Rosette figure="seal" size={72} className={styles.end} />
        </div>
      </div>
    </>
  )
  return untranslated ? <div lang="en">{written}</div> : written
}
