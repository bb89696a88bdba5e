import { preferredOf } from './kernel/i18n/language.ts'
import { say } from './kernel/i18n/current-language.ts'
import { storedLanguage } from './kernel/i18n/stored-language.ts'
import { takeFlashMessage } from './kernel/notices/flash-message.ts'
import { showNotice } from './kernel/notices/notices.ts'
import { followHistory, leaveEndedSession } from './kernel/navigation/navigation.ts'
import { addressOfLink } from './kernel/navigation/link-target.ts'
import { setLanguageInPlace } from './kernel/navigation/navigate.ts'
import { prepareFrame } from './kernel/navigation/prepare-frame.ts'
import { enterEntry, keepScroll, storedScroll, stepsAway, storeScroll } from './kernel/navigation/scroll.ts'
import { isPageHeld, discardUnsavedInput, mayLeavePage } from './kernel/navigation/unsaved.ts'
import { markCurrentSection } from './kernel/navigation/mark-current-section.ts'
import { currentView, showView } from './kernel/navigation/view.ts'
import { matchRoute } from './kernel/routes/match-route.ts'
import { loadPage } from './kernel/routes/routes.ts'
import { sessionHooks } from './kernel/session/session.ts'
import { followDropdowns } from './kernel/ui/follow-dropdowns.ts'

let isListening = false

/**
 * Adds all listeners that `event-handlers.ts` defers: history, prefetching, dropdowns, the end of a session, and
 * notices. `sign` is the event that triggered this.
 */
export function addDeferredHandlers(sign?: Event): void {
  import('./late-handlers.ts').then(
    ({ addLateHandlers }) => addLateHandlers(sign),
    () => {
      // Pages work without them.
    },
  )
  if (isListening) return
  isListening = true
  enterEntry()
  // The event that loaded this script may have been on a link.
  prefetch(document.querySelector('a:hover') ?? document.activeElement)
  document.addEventListener('pointerover', ({ target }) => prefetch(target))
  document.addEventListener('focusin', ({ target }) => prefetch(target))
  followDropdowns()
  addEventListener('popstate', popped)
  // The browser restores the scroll position after a reload. While the page is open, this code does.
  history.scrollRestoration = 'manual'
  addEventListener('pagehide', () => {
    storeScroll()
    history.scrollRestoration = 'auto'
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) history.scrollRestoration = 'manual'
  })
  sessionHooks.reauthenticate = async (ended) => {
    const { reauthenticate } = await import('./sessions/reauthentication/reauthenticate.tsx')
    await reauthenticate(ended)
  }
  sessionHooks.onEnd = () => void leaveEndedSession()
  markCurrentSection()
  showStoredNotices()
  applyStoredLanguage()
}

/** Prefetches the page of a link under the pointer, because it will probably be opened. */
function prefetch(target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest('a') : null
  const url = addressOfLink(link)
  const match = url && matchRoute(url.pathname)
  if (match)
    Promise.all([
      loadPage(match.route).then(({ parts }) => parts?.load()),
      prepareFrame(match.route, false),
    ]).catch(() => {
      // A failure is reported on the click.
    })
}

function popped(): void {
  keepScroll()
  const view = currentView()
  const url = new URL(location.href)
  if (url.pathname !== view.url.pathname || url.search !== view.url.search)
    return void (isPageHeld() ? confirmThenNavigate() : followHistory())
  const isNew = history.state === null
  enterEntry()
  showView({ ...view, url, arrival: 'inPlace' })
  if (!isNew) scrollTo(0, storedScroll())
}

/** The address is reset to that of the displayed page, and navigation continues only after the answer. */
async function confirmThenNavigate(): Promise<void> {
  const steps = stepsAway()
  history.go(-steps)
  if (!(await mayLeavePage())) return
  discardUnsavedInput()
  history.go(steps)
}

/**
 * Shows stored notices: an unknown address leads to the home page with a notice in the query, and the other program
 * stores its notice here.
 */
function showStoredNotices(): void {
  const carried = takeFlashMessage()
  if (carried) showNotice(say(carried))
  const url = new URL(location.href)
  if (url.searchParams.get('notice') !== 'not-found') return
  url.searchParams.delete('notice')
  history.replaceState(history.state, '', url)
  showNotice(say('layout.notice.notFound'))
}

/**
 * If no cookie could tell the server, the stored language is applied here. Readers who prefer another language are
 * asked once.
 */
function applyStoredLanguage(): void {
  const { language, url } = currentView()
  const stored = storedLanguage()
  const isShared = matchRoute(url.pathname)?.prefix
  if (stored && stored !== language && !isShared) void setLanguageInPlace(stored)
  const preferred = preferredOf(navigator.languages)
  if (stored || language !== 'en' || preferred === null || preferred === 'en') return
  import('./kernel/navigation/offer-language.ts').then(
    ({ offerLanguage }) => offerLanguage(preferred),
    () => {
      // Without a connection there is nothing to offer.
    },
  )
}
