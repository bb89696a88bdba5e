import { lazy, Suspense, type ReactNode } from 'react'
import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import { useMessages } from '../i18n/messages.tsx'
import { consolePath } from '../routes/console-path.ts'
import { labelOf, pathTo, type RouteName } from '../routes/routes.ts'
import { useSession } from '../session/session.ts'
import { LinkTabs } from '../ui/link-tabs.tsx'
import styles from './member-layout.module.css'

const entries: readonly RouteName[] = [
  'account.userInfo',
  'account.accountDetails',
  'account.security',
  'kyc',
  'account.messages',
  'account.notifications',
]

/** Loaded separately, because the page doesn't need to wait for it. */
const UnreadCount = lazy(() => import('./unread-count.tsx').then((part) => ({ default: part.UnreadCount })))

/** The label of a navigation entry. The entry for notifications also shows how many are unread. */
function Label({ to, isMember }: { to: RouteName; isMember: boolean }) {
  const { t } = useMessages()
  if (to !== 'account.notifications' || !isMember) return t(labelOf(to))
  return (
    <>
      {t(labelOf(to))}
      <Suspense>
        <UnreadCount />
      </Suspense>
    </>
  )
}

/** A member page with the navigation between member pages. */
export function MemberLayout({ route, children }: { route: RouteName; children: ReactNode }) {
  const { t } = useMessages()
  const { state, member } = useSession()
  const isStaff = member !== null && hasAnyStaffRight(member)
  const tabs = [
    // Few members are ambassadors, so this entry appears only on its own page, which emails and the program page link
    // to.
    ...(route === 'account.ambassador' ? [...entries, route] : entries).map((to) => ({
      href: pathTo(to),
      label: <Label to={to} isMember={member !== null} />,
      isCurrent: to === route,
    })),
    ...(isStaff ? [{ href: consolePath, label: t('layout.account.console'), isCurrent: false }] : []),
  ]
  return (
    <div className={styles.layout}>
      <LinkTabs
        kind="side"
        label={t('layout.account.label')}
        // After an erasure, the closing message is shown here although there is no account anymore.
        hidden={state === 'signedOut'}
        tabs={tabs}
      />
      {children}
    </div>
  )
}
