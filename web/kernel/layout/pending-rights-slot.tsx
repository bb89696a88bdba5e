import { useEffect, useState, type ComponentType } from 'react'
import type { RouteName } from '../routes/routes.ts'
import { useSession } from '../session/session.ts'

/** The note on pending rights. Its script is loaded only for members who have some. */
export function PendingRightsSlot({ route }: { route: RouteName }) {
  const { member } = useSession()
  const [Note, setNote] = useState<ComponentType>()
  const [failedOn, setFailedOn] = useState<RouteName>()
  const isOpen = member?.waitingRights !== undefined
  const isWanted = isOpen && !Note && failedOn !== route
  useEffect(() => {
    if (!isWanted) return
    import('./pending-rights.tsx').then(
      ({ PendingRights }) => setNote(() => PendingRights),
      // The next page tries again.
      () => setFailedOn(route),
    )
  }, [isWanted, route])
  return isOpen && Note && <Note />
}
