import type { ReactNode } from 'react'
import './fonts/fonts.css'
import './layout/tokens.css'
import './layout/base.css'
import './layout/print.css'
import { useWords } from './i18n/words.tsx'
import { Footer } from './layout/footer/footer.tsx'
import { groundsOf } from './layout/ground.ts'
import { Header } from './layout/header/header.tsx'
import { LanguageNotice } from './layout/language-notice.tsx'
import { MemberLayout } from './layout/member-layout.tsx'
import { WaitingRightsSlot } from './layout/waiting-rights-slot.tsx'
import { Notices } from './layout/notices.tsx'
import { Progress } from './layout/waiting/progress.tsx'
import styles from './layout/skip-link.module.css'
import { SocialBar } from './layout/social-bar/social-bar.tsx'
import { ConsentSlot } from './consents/consent-slot.tsx'
import { busy } from './navigation/busy.ts'
import { useStore } from './state/create-store.ts'
import { StepUpHost } from './sessions/step-up/step-up-host.tsx'
import type { Route } from './routes/routes.ts'

type RootProps = { route: Route; year: string; children: ReactNode }

/** For those who read. It would lie over the tables of members and staff, and over the photos that a phone takes. */
const hasSocialBar = ({ guard, name }: Route): boolean => guard !== 'member' && name !== 'kyc.phone'

/** The frame around every page. */
export function Root({ route, year, children }: RootProps) {
  const { t } = useWords()
  const grounds = groundsOf(route)
  const main = (
    <main id="main" tabIndex={-1} aria-busy={useStore(busy) || undefined}>
      {route.guard === 'member' && <ConsentSlot />}
      {route.guard === 'member' && <WaitingRightsSlot route={route.name} />}
      {children}
    </main>
  )
  return (
    <>
      <a className={styles.skip} href="#main">
        {t('layout.skip')}
      </a>
      <LanguageNotice />
      <Progress />
      <Header route={route.name} ground={grounds.header} />
      <div data-ground={grounds.page} data-guard={route.guard}>
        {route.guard === 'member' ? <MemberLayout route={route.name}>{main}</MemberLayout> : main}
      </div>
      <Footer year={year} isQuiet={route.guard === 'member'} />
      {hasSocialBar(route) && <SocialBar />}
      <Notices ground={grounds.page} />
      <StepUpHost ground={grounds.page} />
    </>
  )
}
