import { useBrand } from '../../content/brand.tsx'
import { useWords, Words } from '../../i18n/words.tsx'
import { pathTo } from '../../routes/routes.ts'
import section from '../../ui/page-section.module.css'
import styles from './contact-section.module.css'

export function ContactSection() {
  const { t } = useWords()
  const { email } = useBrand()
  return (
    <section className={`${section.section} ${styles.contact}`} aria-labelledby="contact-heading">
      <h2 id="contact-heading">{t('help.contact.heading')}</h2>
      <p>
        <Words
          k="help.contact.text"
          values={{ email }}
          tags={{ link: (words) => <a href={`mailto:${email}`}>{words}</a> }}
        />
      </p>
      <p>
        <Words
          k="help.contact.official"
          tags={{ link: (words) => <a href={pathTo('official')}>{words}</a> }}
        />
      </p>
    </section>
  )
}
