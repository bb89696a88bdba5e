import './kernel/fonts/fonts.css'
import './kernel/layout/tokens.css'
import './kernel/layout/base.css'
import './kernel/layout/print.css'
import { useMessages } from './kernel/i18n/messages.tsx'
import { colorSchemesOf } from './kernel/layout/color-scheme.ts'
import { Header } from './kernel/layout/header/header.tsx'
import { frameParts } from './kernel/layout/served/deferred-frame-parts.ts'
import { LanguageNotice } from './kernel/layout/language-notice.tsx'
import { Notices } from './kernel/layout/notices.tsx'
import { Progress } from './kernel/layout/waiting/progress.tsx'
import styles from './kernel/layout/skip-link.module.css'
import { SocialBar } from './kernel/layout/social-bar/social-bar.tsx'
import { busy } from './kernel/navigation/busy.ts'
import { useStore } from './kernel/state/create-store.ts'
import { deferComponents } from './kernel/still/deferred-components.ts'
import { Still } from './kernel/still/still.tsx'
import { StepUpHost } from './sessions/step-up/step-up-host.tsx'
import type { Frame } from './router.tsx'
import type { Route } from './kernel/routes/routes.ts'

/** Only for readers: it would cover the tables of members and staff, and the photos taken with a phone. */
const hasSocialBar = ({ guard, name }: Route): boolean => guard !== 'member' && name !== 'kyc.phone'

const memberParts = deferComponents(() => import('./member-parts.tsx'))

/** The frame around every page. */
export const Root: Frame = ({ route, year, children }) => {
  const { t } = useMessages()
  const isBusy = useStore(busy)
  const grounds = colorSchemesOf(route)
  const isMembers = route.guard === 'member'
  const { MemberLayout } = (isMembers && memberParts.now()) || {}
  const main = (
    <main id="main" tabIndex={-1} aria-busy={isBusy || undefined}>
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
        {MemberLayout ? <MemberLayout route={route.name}>{main}</MemberLayout> : main}
      </div>
      <Still of={frameParts} part="Footer" given={{ year, isQuiet: isMembers }} />
      {hasSocialBar(route) && <SocialBar />}
      <Notices ground={grounds.page} />
      <StepUpHost ground={grounds.page} />
    </>
  )
}

Root.prepare = async ({ guard }, isServed) => {
  await Promise.all([guard === 'member' && memberParts.load(), !isServed && frameParts.load()])
}
