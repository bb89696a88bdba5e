import { currentLanguage } from './kernel/i18n/current-language.ts'
import { storedLanguage } from './kernel/i18n/stored-language.ts'
import { hasFlashMessage } from './kernel/notices/flash-message.ts'
import { linkTarget } from './kernel/navigation/link-target.ts'
import { navigate } from './kernel/navigation/navigate.ts'
import { currentView } from './kernel/navigation/view.ts'
import { followOtherTabs, mayHaveSession } from './kernel/session/session.ts'

/** Most event handlers are loaded at the first sign of a reader. */
const loadDeferredHandlers = (sign?: Event): void =>
  void import('./deferred-handlers.ts').then(
    ({ addDeferredHandlers }) => addDeferredHandlers(sign),
    // Without a connection, the browser handles links until the next sign of a reader.
    awaitSign,
  )

function awaitSign(): void {
  for (const sign of ['pointerover', 'pointerdown', 'focusin', 'keydown'])
    document.addEventListener(sign, loadDeferredHandlers, { once: true })
}

/** Connects the running page with the browser: links, history, and other tabs. Called once, after React has started. */
export function addEventHandlers(): void {
  document.addEventListener('click', (event) => {
    const target = linkTarget(event)
    if (!target) return
    event.preventDefault()
    loadDeferredHandlers()
    void navigate(target.href)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') followOtherTabs()
  })
  addEventListener('storage', followOtherTabs)
  if (needsDeferredHandlers()) loadDeferredHandlers()
  else awaitSign()
}

/** The handlers are needed immediately for members, for shells to fill, and for notices or questions to show. */
function needsDeferredHandlers(): boolean {
  const stored = storedLanguage()
  const hasReaderLanguage = stored
    ? stored === currentLanguage()
    : currentLanguage() !== 'en' || navigator.languages[0]?.startsWith('en') === true
  const hasNews = hasFlashMessage() || location.search.includes('notice=')
  return mayHaveSession() || currentView().content.kind === 'loading' || hasNews || !hasReaderLanguage
}
