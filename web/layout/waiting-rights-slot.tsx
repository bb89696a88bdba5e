import { useEffect, useState, type ComponentType } from 'react'
import type { RouteName } from '../routes/routes.ts'
import { useSession } from '../session/session.ts'

/** The note on rights that wait. Its script is loaded only for members who have such rights. */
export function WaitingRightsSlot({ route }: { route: RouteName }) {
  const { member } = useSession()
  const [Note, setNote] = useState<ComponentType>()
  const [failedOn, setFailedOn] = useState<RouteName>()
  const isOpen = member?.waitingRights !== undefined
  const isWanted = isOpen && !Note && failedOn !== route
  useEffect(() => {
    if (!isWanted) return
    import('./waiting-rights.tsx').then(
      ({ WaitingRights }) => setNote(() => WaitingRights),
      // Loaded again on the next page.
      () => setFailedOn(route),
    )
  }, [isWanted, route])
  return isOpen && Note && <Note />
}
