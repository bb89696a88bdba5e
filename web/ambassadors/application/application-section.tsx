import { useEffect, useRef, useState } from 'react'
import { useBrand } from '../../content/brand.tsx'
import { useMessages, FormattedMessage } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import section from '../../ui/page-section.module.css'
import { ApplicationForm } from './application-form.tsx'
import styles from './application-section.module.css'

/** The form, replaced by a thank-you message once it is sent. */
export function ApplicationSection() {
  const { t } = useMessages()
  const { email } = useBrand()
  const [isSent, setSent] = useState(false)
  return (
    <section id="apply" className={`${section.section} ${styles.apply}`} aria-labelledby="apply-heading">
      <div className={styles.head}>
        <h2 id="apply-heading">{t('ambassador.form.heading')}</h2>
        <p>{t('ambassador.form.intro')}</p>
        <p className={styles.own}>
          <FormattedMessage
            k="ambassador.form.own"
            tags={{ link: (words) => <a href={pathTo('account.ambassador')}>{words}</a> }}
          />
        </p>
      </div>
      <div className={styles.form}>
        <noscript>
          <p className={styles.note}>
            <FormattedMessage
              k="ambassador.form.noScript"
              values={{ email }}
              tags={{ link: (words) => <a href={`mailto:${email}`}>{words}</a> }}
            />
          </p>
        </noscript>
        {isSent ? <Thanks /> : <ApplicationForm onSent={() => setSent(true)} />}
      </div>
    </section>
  )
}

function Thanks() {
  const { t } = useMessages()
  const heading = useRef<HTMLHeadingElement>(null)
  // The focused button has been removed.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles.thanks} role="status">
      <h3 ref={heading} tabIndex={-1}>
        {t('ambassador.thanks.heading')}
      </h3>
      <p>{t('ambassador.thanks.text')}</p>
    </div>
  )
}
