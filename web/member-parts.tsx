import { ConsentSlot } from './consents/consent-slot.tsx'
import { MemberLayout } from './layout/member-layout.tsx'
import { WaitingRightsSlot } from './layout/waiting-rights-slot.tsx'
import type { RouteName } from './routes/routes.ts'

/** What members are asked or told above every page of theirs. */
const MemberNotes = ({ route }: { route: RouteName }) => (
  <>
    <ConsentSlot />
    <WaitingRightsSlot route={route} />
  </>
)

/** What stands around the pages of members alone. */
export default { MemberLayout, MemberNotes }
