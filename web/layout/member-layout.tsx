import type { ReactNode } from 'react'
import type { PlainKey } from '../i18n/message-key.ts'
import { useWords } from '../i18n/words.tsx'
import type { RouteName } from '../routes/route.ts'
import { pathTo } from '../routes/routes.ts'
import { useSession } from '../session/session.ts'
import { LinkTabs } from '../ui/link-tabs.tsx'
import styles from './member-layout.module.css'

const entries: readonly { to: RouteName; label: PlainKey }[] = [
  { to: 'account.userInfo', label: 'layout.account.userInfo' },
  { to: 'account.accountDetails', label: 'layout.account.details' },
  { to: 'account.security', label: 'layout.account.security' },
  { to: 'kyc', label: 'layout.account.kyc' },
]

/** For officers alone, and for who works on the news. */
const review = { to: 'kyc.review', label: 'layout.account.kycReview' } as const
const newsroom = { to: 'newsroom', label: 'layout.account.newsroom' } as const

/** A member's page beside the list of all of them. */
export function MemberLayout({ route, children }: { route: RouteName; children: ReactNode }) {
  const { t } = useWords()
  const { state, member } = useSession()
  const shown = [
    ...entries,
    ...(member && member.manageFinance > 0 ? [review] : []),
    ...(member && (member.isWriteAccessAdmin || member.manageNews > 0) ? [newsroom] : []),
  ]
  return (
    <div className={styles.layout}>
      <LinkTabs
        kind="side"
        label={t('layout.account.label')}
        // After an erasure its closing words stand here, for somebody who has no account any more.
        hidden={state === 'signedOut'}
        tabs={shown.map(({ to, label }) => ({ href: pathTo(to), label: t(label), isCurrent: to === route }))}
      />
      {children}
    </div>
  )
}
