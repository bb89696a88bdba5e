import { useMessages } from '../../i18n/messages.tsx'
import { labelOf, pathTo, type RouteName } from '../../routes/routes.ts'
import { useSession, type Member } from '../../session/session.ts'
import styles from './account-menu.module.css'
import { Dropdown } from './dropdown.tsx'
import { showNotice } from '../../notices/notices.ts'

const entries: readonly RouteName[] = ['account.userInfo', 'account.accountDetails', 'kyc']

/**
 * Links to sign in and sign up, or the member's own menu. The server does not know the session and renders the links.
 */
export function AccountMenu() {
  const { t } = useMessages()
  const { member } = useSession()
  if (member) return <MemberMenu member={member} />
  return (
    <div className={styles.strangers}>
      <a className={styles.signIn} href={pathTo('login.signin')}>
        {t(labelOf('login.signin'))}
      </a>
      <a className={styles.signUp} href={pathTo('login.signup')}>
        {t(labelOf('login.signup'))}
      </a>
    </div>
  )
}

function MemberMenu({ member }: { member: Member }) {
  const { t } = useMessages()
  const leaveNow = async () => {
    const { leave } = await import('./leave.ts')
    await leave()
  }
  return (
    <div className={styles.member} role="group" aria-label={t('layout.account.label')}>
      <Dropdown label={<span className={styles.name}>{member.displayName || member.email}</span>}>
        <ul>
          {entries.map((to) => (
            <li key={to}>
              <a href={pathTo(to)}>{t(labelOf(to))}</a>
            </li>
          ))}
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
