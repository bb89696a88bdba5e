import { spokenLanguage } from './i18n/spoken-now.ts'
import { storedLanguage } from './i18n/stored-language.ts'
import { hasCarriedNotice } from './notices/carried-notice.ts'
import { linkTarget } from './navigation/link-target.ts'
import { navigate } from './navigation/navigate.ts'
import { currentView } from './navigation/view.ts'
import { followOtherTabs, mayHaveSession } from './session/session.ts'

/** Most of what listens is loaded at the first sign that somebody is there. */
const wake = (): void =>
  void import('./late-listeners.ts').then(
    ({ listenToAll }) => listenToAll(),
    // Without a connection links are the browser's, until the next sign.
    awaitSign,
  )

function awaitSign(): void {
  for (const sign of ['pointerover', 'pointerdown', 'focusin', 'keydown'])
    document.addEventListener(sign, wake, { once: true })
}

/** Connects the running page with the browser: links, history, other tabs. Once, after React has begun. */
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

/** Members, frames that are to be filled, and whoever has to be told or asked something. */
function isCalledFor(): boolean {
  const stored = storedLanguage()
  const speaksTheirs = stored
    ? stored === spokenLanguage()
    : spokenLanguage() !== 'en' || navigator.languages[0]?.startsWith('en') === true
  const hasNews = hasCarriedNotice() || location.search.includes('notice=')
  return mayHaveSession() || currentView().content.kind === 'loading' || hasNews || !speaksTheirs
}
