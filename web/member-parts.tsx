import type { ReactNode } from 'react'
import { ConsentSlot } from './consents/consent-slot.tsx'
import { MemberLayout as Layout } from './kernel/layout/member-layout.tsx'
import { PendingRightsSlot } from './kernel/layout/pending-rights-slot.tsx'
import type { RouteName } from './kernel/routes/routes.ts'
import { BelowHead } from './kernel/ui/page-head.tsx'

/** A member page, with the requests and notes that are shown on every member page. */
function MemberLayout({ route, children }: { route: RouteName; children: ReactNode }) {
  const notes = (
    <>
      <ConsentSlot />
      <PendingRightsSlot route={route} />
    </>
  )
  return (
    <Layout route={route}>
      <BelowHead value={notes}>{children}</BelowHead>
    </Layout>
  )
}

/** Components that are used only around member pages. */
export default { MemberLayout }
