import type { ReactNode } from 'react'
import '../fonts/fonts.css'
import '../layout/tokens.css'
import '../layout/base.css'
import '../layout/print.css'
import { useMessages } from '../i18n/messages.tsx'
import { Notices } from '../layout/notices.tsx'
import skip from '../layout/skip-link.module.css'
import { Progress } from '../layout/waiting/progress.tsx'
import { PendingRightsSlot } from '../layout/pending-rights-slot.tsx'
import { busy } from '../navigation/busy.ts'
import type { Route } from '../routes/routes.ts'
import { useSession } from '../session/session.ts'
import { StepUpHost } from '../sessions/step-up/step-up-host.tsx'
import { useStore } from '../state/create-store.ts'
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
