import { Words } from '../i18n/words.tsx'
import { pathTo } from '../routes/routes.ts'
import { useSession } from '../session/session.ts'
import { Message } from '../ui/form-status.tsx'

/** Said before anything is written: without a second factor the server refuses every call of the staff. */
export function FactorNeeded() {
  const { member } = useSession()
  // Where rights wait, the note at the top of the page says so already.
  if (!member?.needsSecondFactor || member.waitingRights) return null
  return (
    <Message kind="note" role="status">
      <p>
        <Words
          k="layout.factorNeeded"
          tags={{ link: (words) => <a href={pathTo('account.security')}>{words}</a> }}
        />
      </p>
    </Message>
  )
}
