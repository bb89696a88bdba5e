import { useState } from 'react'
import {
  changeSubscription,
  unsubscribeFromNews,
  type NewsChoice,
  type Subscription,
} from '#contract/publishing/newsletter.ts'
import { call } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Message } from '../kernel/ui/form-status.tsx'
import { SubscriptionForm } from '../kernel/news-choice/subscription-form.tsx'

/** A subscription that was opened with an emailed link. */
export function Subscribed({
  token,
  subscription,
  isNew = false,
}: {
  token: string
  subscription: Subscription
  /** Whether it was just confirmed, as the page says above. */
  isNew?: boolean
}) {
  const { t, formatDate } = useMessages()
  const [held, setHeld] = useState(subscription)
  if (held.state !== 'active')
    return (
      <Message kind="note" role="status">
        <p>{t('newsletter.left', { address: held.address })}</p>
      </Message>
    )
  return (
    <>
      {held.since && !isNew && (
        <p>{t('newsletter.since', { address: held.address, date: formatDate(held.since) })}</p>
      )}
      <SubscriptionForm
        subscription={held}
        digest={held.digest}
        save={async (choice: NewsChoice) =>
          setHeld(await call(changeSubscription, { body: { token, ...choice } }))
        }
        leave={async () => setHeld(await call(unsubscribeFromNews, { body: { token } }))}
      />
    </>
  )
}
