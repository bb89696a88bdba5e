import type { ReactNode } from 'react'
import { useWords } from '../i18n/words.tsx'
import { labelOf, pathTo, type RouteName } from '../routes/routes.ts'
import { useSession } from '../session/session.ts'
import { LinkTabs } from '../ui/link-tabs.tsx'
import styles from './member-layout.module.css'

const entries: readonly RouteName[] = [
  'account.userInfo',
  'account.accountDetails',
  'account.security',
  'kyc',
]

/** A member page with the navigation between member pages. */
export function MemberLayout({ route, children }: { route: RouteName; children: ReactNode }) {
  const { t } = useWords()
  const { state, member } = useSession()
  const shown: readonly RouteName[] = [
    ...entries,
    // Only for officers, for news staff, and for those who manage members.
    ...(member && member.manageFinance > 0 ? (['kyc.review'] as const) : []),
    ...(member && (member.isWriteAccessAdmin || member.manageNews > 0) ? (['newsroom'] as const) : []),
    ...(member && (member.isWriteAccessAdmin || member.manageEmployee === 2)
      ? (['lostFactors'] as const)
      : []),
  ]
  return (
    <div className={styles.layout}>
      <LinkTabs
        kind="side"
        label={t('layout.account.label')}
        // After an erasure its closing message is shown here, without an account.
        hidden={state === 'signedOut'}
        tabs={shown.map((to) => ({ href: pathTo(to), label: t(labelOf(to)), isCurrent: to === route }))}
      />
      {children}
    </div>
  )
}
