import { FormattedMessage } from '../i18n/messages.tsx'
import { pathTo } from '../routes/routes.ts'
import { useSession } from '../session/session.ts'
import { Message } from '../ui/form-status.tsx'

/** A warning in advance: without a second factor, the server rejects every staff request. */
export function FactorNeeded() {
  const { member } = useSession()
  // If rights are pending, the note at the top of the page already says so.
  if (!member?.needsSecondFactor || member.waitingRights) return null
  return (
    <Message kind="note" role="status">
      <p>
        <FormattedMessage
          k="layout.factorNeeded"
          tags={{ link: (words) => <a href={pathTo('account.security')}>{words}</a> }}
        />
      </p>
    </Message>
  )
}
