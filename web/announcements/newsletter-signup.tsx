import { newsAddress } from '#contract/newsletter.ts'
import { boundsOf } from '../forms/field-bounds.ts'
import { passEmailOn } from '../forms/passed-email.ts'
import { useMessages } from '../i18n/messages.tsx'
import { navigate } from '../navigation/navigate.ts'
import { pathTo } from '../routes/routes.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import styles from './news-by-mail.module.css'

/**
 * Shown below the news. The email address is passed to the subscription page and never appears in a URL: the field has
 * no name, so without JavaScript that page opens empty.
 */
export function NewsletterSignup() {
  const { t } = useMessages()
  const to = pathTo('newsletter')
  return (
    <section className={styles.strip} aria-labelledby="news-by-mail">
      <h2 id="news-by-mail">{t('news.byMail')}</h2>
      <p>{t('news.byMail.text')}</p>
      <form
        action={to}
        onSubmit={(event) => {
          event.preventDefault()
          const field = event.currentTarget.querySelector('input')
          passEmailOn(field?.value)
          void navigate(to)
        }}
      >
        <TextField
          label={t('news.byMail.email')}
          type="email"
          autoComplete="email"
          maxLength={boundsOf(newsAddress.shape.email).maxLength}
        />
        <Button type="submit" kind="quiet">
          {t('news.byMail.go')}
        </Button>
      </form>
    </section>
  )
}
