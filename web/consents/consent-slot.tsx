import { useEffect, useState, type ComponentType } from 'react'
import { useSession } from '../kernel/session/session.ts'
import { useStore } from '../kernel/state/create-store.ts'
import { consentAnswer } from './consent-answer.ts'

type Request = ComponentType<{ onSettled: (isAccepted: boolean) => void }>

/** Asks members to accept new versions of the legal texts. Its script is loaded only for members. */
export function ConsentSlot() {
  const { member } = useSession()
  const answer = useStore(consentAnswer)
  const [Request, setRequest] = useState<Request>()
  const memberId = member?.id
  const isOpen = memberId !== undefined && answer.memberId !== memberId
  useEffect(() => {
    if (!isOpen) return
    import('./consent-request.tsx').then(
      ({ ConsentRequest }) => setRequest(() => ConsentRequest),
      () => {
        // The member is asked again on the next page.
      },
    )
  }, [isOpen])
  return (
    isOpen &&
    Request && (
      <Request key={memberId} onSettled={(isAccepted) => consentAnswer.set({ memberId, isAccepted })} />
    )
  )
}
