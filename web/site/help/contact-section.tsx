import { useBrand } from '../../content/brand.tsx'
import { useMessages, FormattedMessage } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import section from '../../ui/page-section.module.css'
import styles from './contact-section.module.css'

export function ContactSection() {
  const { t } = useMessages()
  const { email } = useBrand()
  return (
    <section className={`${section.section} ${styles.contact}`} aria-labelledby="contact-heading">
      <h2 id="contact-heading">{t('help.contact.heading')}</h2>
      <p>
        <FormattedMessage
          k="help.contact.text"
          values={{ email }}
          tags={{ link: (words) => <a href={`mailto:${email}`}>{words}</a> }}
        />
      </p>
      <p>
        <FormattedMessage
          k="help.contact.official"
          tags={{ link: (words) => <a href={pathTo('official')}>{words}</a> }}
        />
      </p>
    </section>
  )
}
