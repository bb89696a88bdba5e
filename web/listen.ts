import { spokenLanguage } from './i18n/current-language.ts'
import { storedLanguage } from './i18n/stored-language.ts'
import { hasCarriedNotice } from './notices/flash-message.ts'
import { linkTarget } from './navigation/link-target.ts'
import { navigate } from './navigation/navigate.ts'
import { currentView } from './navigation/view.ts'
import { followOtherTabs, mayHaveSession } from './session/session.ts'

/** Most event handlers are loaded at the first sign of a reader. */
const wake = (): void =>
  void import('./deferred-handlers.ts').then(
    ({ listenToAll }) => listenToAll(),
    // Without a connection, the browser handles links until the next sign of a reader.
    awaitSign,
  )

function awaitSign(): void {
  for (const sign of ['pointerover', 'pointerdown', 'focusin', 'keydown'])
    document.addEventListener(sign, wake, { once: true })
}

/** Connects the running page with the browser: links, history, and other tabs. Called once, after React has started. */
export function listen(): void {
  document.addEventListener('click', (event) => {
    const target = linkTarget(event)
    if (!target) return
    event.preventDefault()
    wake()
    void navigate(target.href)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') followOtherTabs()
  })
  addEventListener('storage', followOtherTabs)
  if (isCalledFor()) wake()
  else awaitSign()
}

/** The handlers are needed immediately for members, for shells to fill, and for notices or questions to show. */
function isCalledFor(): boolean {
  const stored = storedLanguage()
  const speaksTheirs = stored
    ? stored === spokenLanguage()
    : spokenLanguage() !== 'en' || navigator.languages[0]?.startsWith('en') === true
  const hasNews = hasCarriedNotice() || location.search.includes('notice=')
  return mayHaveSession() || currentView().content.kind === 'loading' || hasNews || !speaksTheirs
}
