import { createRoot } from 'react-dom/client'
import { loadMessages } from '../../content/load-messages.ts'
import { currentLanguage } from '../../i18n/current-language.ts'
import { MessagesProvider } from '../../i18n/messages.tsx'
import { declineReauthentication } from '../../session/keep-session.ts'
import { type Member } from '../../session/session.ts'
import { ReauthenticationDialog } from './reauthentication-dialog.tsx'

/**
 * Asks a member whose session has ended to sign in again, in a dialog over the current page, which stays mounted.
 * Resolves when they have signed in, postponed it, or signed out.
 */
export async function reauthenticate(ended: Member): Promise<void> {
  const language = currentLanguage()
  const messages = await loadMessages(language, ['errors', 'forms', 'layout', 'login', 'session', 'step-up'])
  const place = document.createElement('div')
  place.dataset['ground'] = 'auto'
  document.body.append(place)
  const root = createRoot(place)
  await new Promise<void>((resolve) => {
    root.render(
      <MessagesProvider value={{ language, messages, setLanguage: () => Promise.resolve() }}>
        <ReauthenticationDialog
          email={ended.email}
          onDone={resolve}
          onLeave={() => (declineReauthentication(), resolve())}
        />
      </MessagesProvider>,
    )
  })
  root.unmount()
  place.remove()
}
