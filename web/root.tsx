import './fonts/fonts.css'
import './layout/tokens.css'
import './layout/base.css'
import './layout/print.css'
import { useMessages } from './i18n/messages.tsx'
import { colorSchemesOf } from './layout/color-scheme.ts'
import { Header } from './layout/header/header.tsx'
import { frameParts } from './layout/served/deferred-frame-parts.ts'
import { LanguageNotice } from './layout/language-notice.tsx'
import { Notices } from './layout/notices.tsx'
import { Progress } from './layout/waiting/progress.tsx'
import styles from './layout/skip-link.module.css'
import { SocialBar } from './layout/social-bar/social-bar.tsx'
import { busy } from './navigation/busy.ts'
import { useStore } from './state/create-store.ts'
import { deferComponents } from './still/deferred-components.ts'
import { Still } from './still/still.tsx'
import { StepUpHost } from './sessions/step-up/step-up-host.tsx'
import type { Frame } from './router.tsx'
import type { Route } from './routes/routes.ts'

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
