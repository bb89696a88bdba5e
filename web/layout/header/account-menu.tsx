import { useWords } from '../../i18n/words.tsx'
import { pathTo } from '../../routes/routes.ts'
import { useSession, type Member } from '../../session/session.ts'
import styles from './account-menu.module.css'
import { Dropdown } from './dropdown.tsx'
import { showNotice } from '../../notices/notices.ts'

/** Sign in and sign up, or the member's own menu. The server does not know the session and renders the former. */
export function AccountMenu() {
  const { t } = useWords()
  const { member } = useSession()
  if (member) return <MemberMenu member={member} />
  return (
    <div className={styles.strangers}>
      <a className={styles.signIn} href={pathTo('login.signin')}>
        {t('layout.nav.signIn')}
      </a>
      <a className={styles.signUp} href={pathTo('login.signup')}>
        {t('layout.nav.signUp')}
      </a>
    </div>
  )
}

function MemberMenu({ member }: { member: Member }) {
  const { t } = useWords()
  const leaveNow = async () => {
    const { leave } = await import('./leave.ts')
    await leave()
  }
  return (
    <div className={styles.member} role="group" aria-label={t('layout.account.label')}>
      <Dropdown label={<span className={styles.name}>{member.displayName || member.email}</span>}>
        <ul>
          <li>
            <a href={pathTo('account.userInfo')}>{t('layout.account.userInfo')}</a>
          </li>
          <li>
            <a href={pathTo('account.accountDetails')}>{t('layout.account.details')}</a>
          </li>
          <li>
            <a href={pathTo('kyc')}>{t('layout.account.kyc')}</a>
          </li>
          <li className={styles.leave}>
            <button
              type="button"
              onClick={() => void leaveNow().catch(() => showNotice(t('errors.offline'), 'error'))}
            >
              {t('layout.account.signOut')}
            </button>
          </li>
        </ul>
      </Dropdown>
    </div>
  )
}
