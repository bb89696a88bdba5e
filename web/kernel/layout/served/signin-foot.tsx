import { useBrand } from '../../content/brand.tsx'
import { FormattedMessage, useMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import styles from './signin-foot.module.css'

/** Below the sign-in form: how to sign up, and how to recognize the site before entering a password. */
export function SigninFoot() {
  const { t } = useMessages()
  const { origin } = useBrand()
  return (
    <>
      <p>
        {t('layout.signin.noAccount')} <a href={pathTo('login.signup')}>{t('layout.signin.toSignup')}</a>
      </p>
      <p className={styles.check}>
        <FormattedMessage
          k="layout.signin.address"
          // Without the slash, another domain could begin with our address.
          values={{ site: `${origin}/` }}
          tags={{ link: (words) => <a href={pathTo('official')}>{words}</a> }}
        />
      </p>
    </>
  )
}
