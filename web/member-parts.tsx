import type { ReactNode } from 'react'
import { ConsentSlot } from './consents/consent-slot.tsx'
import { MemberLayout as Layout } from './layout/member-layout.tsx'
import { WaitingRightsSlot } from './layout/waiting-rights-slot.tsx'
import type { RouteName } from './routes/routes.ts'
import { BelowHead } from './ui/page-head.tsx'

/** A page of a member, with what members are asked or told on every page of theirs. */
function MemberLayout({ route, children }: { route: RouteName; children: ReactNode }) {
  const notes = (
    <>
      <ConsentSlot />
      <WaitingRightsSlot route={route} />
    </>
  )
  return (
    <Layout route={route}>
      <BelowHead value={notes}>{children}</BelowHead>
    </Layout>
  )
}

/** What stands around the pages of members alone. */
export default { MemberLayout }
