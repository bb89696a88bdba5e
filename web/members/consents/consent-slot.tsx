import { useEffect, useState, type ComponentType } from 'react'
import { useSession } from '../../session.ts'

let settledFor: string | undefined

/** Where members are asked to accept new versions of the legal texts. The script for it comes once there is a member. */
export function ConsentSlot() {
  const { member } = useSession()
  const [Request, setRequest] = useState<ComponentType<{ onSettled: () => void }>>()
  const [, setIsSettled] = useState(false)
  const memberId = member?.id
  const isDue = memberId !== undefined && settledFor !== memberId
  useEffect(() => {
    if (!isDue) return
    import('./consent-request.tsx').then(
      ({ ConsentRequest }) => setRequest(() => ConsentRequest),
      () => {
        // Asked again on the next page.
      },
    )
  }, [isDue])
  const settle = () => {
    settledFor = memberId
    setIsSettled(true)
  }
  return isDue && Request && <Request key={memberId} onSettled={settle} />
}
