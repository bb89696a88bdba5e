import { preferredOf } from './i18n/language.ts'
import { say } from './i18n/spoken-now.ts'
import { storedLanguage } from './i18n/stored-language.ts'
import { carriedNotice } from './notices/carried-notice.ts'
import { showNotice } from './notices/notices.ts'
import { followHistory, leaveEndedSession } from './navigation/journey.ts'
import { addressOfLink } from './navigation/link-target.ts'
import { speakLanguage } from './navigation/navigate.ts'
import { prepareFrame } from './navigation/prepare-frame.ts'
import { enterEntry, keepScroll, keptScroll, stepsAway, storeScroll } from './navigation/scroll.ts'
import { isPageHeld, letPageGo, mayLeavePage } from './navigation/unsaved.ts'
import { currentView, showView } from './navigation/view.ts'
import { matchRoute } from './routes/match-route.ts'
import { loadPage } from './routes/routes.ts'
import { sessionHooks } from './session/session.ts'

let isListening = false

/** What `listen.ts` leaves for later: history, pages that are pointed at, the end of a session, what is to be said. */
export function listenToAll(): void {
  if (isListening) return
  isListening = true
  enterEntry()
  // What woke us may have been a link.
  fetchAhead(document.querySelector('a:hover') ?? document.activeElement)
  document.addEventListener('pointerover', ({ target }) => fetchAhead(target))
  document.addEventListener('focusin', ({ target }) => fetchAhead(target))
  addEventListener('popstate', popped)
  // A reload is the browser's own to scroll; while the page lives, it is ours.
  history.scrollRestoration = 'manual'
  addEventListener('pagehide', () => {
    storeScroll()
    history.scrollRestoration = 'auto'
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) history.scrollRestoration = 'manual'
  })
  sessionHooks.askAgain = async (ended) => {
    const { askAgain } = await import('./sessions/again/ask-again.tsx')
    await askAgain(ended)
  }
  sessionHooks.onEnd = () => void leaveEndedSession()
  tellWhatWasSaid()
  agreeOnLanguage()
}

/** A page that is pointed at will probably be asked for. */
function fetchAhead(target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest('a') : null
  const url = addressOfLink(link)
  const match = url && matchRoute(url.pathname)
  if (match)
    Promise.all([
      loadPage(match.route).then(({ parts }) => parts?.load()),
      prepareFrame(match.route, false),
    ]).catch(() => {
      // If something is missing, the click will find out.
    })
}

function popped(): void {
  keepScroll()
  const view = currentView()
  const url = new URL(location.href)
  if (url.pathname !== view.url.pathname || url.search !== view.url.search)
    return void (isPageHeld() ? askThenFollow() : followHistory())
  const isNew = history.state === null
  enterEntry()
  showView({ ...view, url, arrival: 'inPlace' })
  if (!isNew) scrollTo(0, keptScroll())
}

/** The address returns to that of the page that is still shown, and goes on only after the answer. */
async function askThenFollow(): Promise<void> {
  const steps = stepsAway()
  history.go(-steps)
  if (!(await mayLeavePage())) return
  letPageGo()
  history.go(steps)
}

/** An unknown address leads to the home page with a word about it in the query; the other program leaves its word here. */
function tellWhatWasSaid(): void {
  const carried = carriedNotice()
  if (carried) showNotice(say(carried))
  const url = new URL(location.href)
  if (url.searchParams.get('notice') !== 'not-found') return
  url.searchParams.delete('notice')
  history.replaceState(history.state, '', url)
  showNotice(say('layout.notice.notFound'))
}

/** Where no cookie could tell the server, the stored language takes over here. Who prefers another one is asked once. */
function agreeOnLanguage(): void {
  const { language, url } = currentView()
  const stored = storedLanguage()
  const isShared = matchRoute(url.pathname)?.prefix
  if (stored && stored !== language && !isShared) void speakLanguage(stored)
  const preferred = preferredOf(navigator.languages)
  if (stored || language !== 'en' || preferred === null || preferred === 'en') return
  import('./navigation/offer-language.ts').then(
    ({ offerLanguage }) => offerLanguage(preferred),
    () => {
      // Without a connection nothing could be offered.
    },
  )
}
