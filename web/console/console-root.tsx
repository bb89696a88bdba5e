import type { ReactNode } from 'react'
import '../kernel/fonts/fonts.css'
import '../kernel/layout/tokens.css'
import '../kernel/layout/base.css'
import '../kernel/layout/print.css'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Notices } from '../kernel/layout/notices.tsx'
import skip from '../kernel/layout/skip-link.module.css'
import { Progress } from '../kernel/layout/waiting/progress.tsx'
import { PendingRightsSlot } from '../kernel/layout/pending-rights-slot.tsx'
import { busy } from '../kernel/navigation/busy.ts'
import type { Route } from '../kernel/routes/routes.ts'
import { useSession } from '../kernel/session/session.ts'
import { StepUpHost } from '../sessions/step-up/step-up-host.tsx'
import { useStore } from '../kernel/state/create-store.ts'
import styles from './console-root.module.css'
import { ConsoleBar } from './frame/console-bar.tsx'
import { mayOpen } from './can-access.ts'
import { AddressBanner } from './sale/address-banner.tsx'
import { NotAllowed } from './frame/not-allowed.tsx'

/** The frame around every page of the console. */
export function ConsoleRoot({ route, children }: { route: Route; children: ReactNode }) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <a className={skip.skip} href="#main">
        {t('layout.skip')}
      </a>
      <Progress />
      <div className={styles.console} data-ground="auto" data-guard={route.guard}>
        <ConsoleBar route={route} />
        <main id="main" className={styles.main} tabIndex={-1} aria-busy={useStore(busy) || undefined}>
          <PendingRightsSlot route={route.name} />
          <AddressBanner />
          {member && (!mayOpen(member, route) || member.needsSecondFactor) ? (
            <NotAllowed route={route} member={member} />
          ) : (
            children
          )}
        </main>
      </div>
      <Notices ground="auto" />
      <StepUpHost ground="auto" />
    </>
  )
}
