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

/** A member's page beside the list of all of them. */
export function MemberLayout({ route, children }: { route: RouteName; children: ReactNode }) {
  const { t } = useWords()
  const { state, member } = useSession()
  const shown: readonly RouteName[] = [
    ...entries,
    // For officers alone, and for those who work on the news.
    ...(member && member.manageFinance > 0 ? (['kyc.review'] as const) : []),
    ...(member && (member.isWriteAccessAdmin || member.manageNews > 0) ? (['newsroom'] as const) : []),
  ]
  return (
    <div className={styles.layout}>
      <LinkTabs
        kind="side"
        label={t('layout.account.label')}
        // After an erasure its closing words stand here, for somebody who has no account any more.
        hidden={state === 'signedOut'}
        tabs={shown.map((to) => ({ href: pathTo(to), label: t(labelOf(to)), isCurrent: to === route }))}
      />
      {children}
    </div>
  )
}
