import type { Language } from '#contract/platform/fields.ts'
import { inAppHeader } from '#contract/publishing/in-app-header.ts'
import { readItem, writeItem } from '../state/browser-storage.ts'
import { CallFailed } from '../call/call.ts'
import { withoutPrefix, withPrefix } from '../i18n/language.ts'
import type { PlainKey } from '../i18n/message-key.ts'
import { say, currentLanguage } from '../i18n/current-language.ts'
import { storedLanguage, storeLanguage } from '../i18n/stored-language.ts'
import { storeFlashMessage } from '../notices/flash-message.ts'
import { showNotice } from '../notices/notices.ts'
import { matchRoute, type RouteMatch } from '../routes/match-route.ts'
import { commitNavigation } from './commit-navigation.ts'
import { busy } from './busy.ts'
import { redirectFor, isPrivate } from './guard.ts'
import { storeReturnUrl } from './return-url.ts'
import { isEmailedLink, offerEmailedLink } from './offer-emailed-link.ts'
import { requestViewData, ChunkMissing, loadView } from './load-view.ts'
import { discardUnsavedInput, mayLeavePage } from './unsaved.ts'
import { currentView, showView, type Arrival } from './view.ts'
import { isPublic, pathTo } from '../routes/routes.ts'
import { currentSession, resolvedSession } from '../session/session.ts'

type Journey = { url: URL; arrival: Arrival; isReplacing: boolean }

let underWay: Journey | undefined

export type JourneyOptions = {
  replace?: boolean
  /** For a page that reflects its state in the address: the focus and scroll position do not change. */
  inPlace?: boolean
  /** A notice to show on arrival. */
  notice?: PlainKey
}

export async function open(path: string, options: JourneyOptions = {}): Promise<void> {
  if (!options.inPlace && !(await mayLeavePage())) return
  const url = new URL(path, location.href)
  const isReplacing = options.replace === true || url.href === location.href
  await go({ url, arrival: options.inPlace ? 'inPlace' : 'link', isReplacing }, options.notice)
}

/** After “back” or “forward”, the address is already that of the next page. */
export const followHistory = (): Promise<void> =>
  go({ url: new URL(location.href), arrival: 'history', isReplacing: true })

/** Fills a shell that the server sent without its page. */
export const fillShell = (): Promise<void> =>
  go({ url: new URL(location.href), arrival: 'first', isReplacing: true })

/** Requests the data of the page at an address, regardless of who is signed in. */
export async function prefetchData(address: string): Promise<void> {
  const match = matchRoute(new URL(address).pathname)
  if (match) requestViewData(match, languageFor(match), 'first')
}

/**
 * Shows the current page, or the one being loaded, in another language. An address with a language prefix is replaced
 * by the one without.
 */
export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language)
  const journey = underWay ?? { url: currentView().url, arrival: 'inPlace', isReplacing: true }
  const url = new URL(journey.url)
  url.pathname = withoutPrefix(url.pathname)
  await go({ ...journey, url })
}

/** Leaves a member page whose session has ended. */
export async function leaveEndedSession(): Promise<void> {
  if (!isPrivate(currentView().route.guard)) return
  await requireSignIn(underWay?.url ?? currentView().url, 'layout.notice.sessionEnded')
}

async function requireSignIn(wanted: URL, notice: PlainKey): Promise<void> {
  discardUnsavedInput()
  storeReturnUrl(wanted.pathname + wanted.search + wanted.hash)
  await open(pathTo('login.signin'), { replace: true, notice })
}

async function go(journey: Journey, notice?: PlainKey): Promise<void> {
  const match = matchRoute(journey.url.pathname)
  if (!match) return leaveProgram(journey, notice)
  journey.url.pathname = addressOf(match)
  underWay = journey
  busy.set(true)
  try {
    const language = languageFor(match)
    requestViewData(match, language, journey.arrival)
    if (await isRedirected(journey, match)) return
    const view = await loadView(journey.url, match, language, journey.arrival)
    if (underWay !== journey) return
    announcePage(journey, match)
    commitNavigation(view, journey.isReplacing)
    if (notice) showNotice(say(notice))
  } catch (failure) {
    if (underWay === journey) await showNavigationError(journey, match, failure)
  } finally {
    if (underWay === journey) {
      underWay = undefined
      busy.set(false)
    }
  }
}

/**
 * Tells the server about a public page that is opened without its document, so that it counts as read. Searches on the
 * same page aren't announced.
 */
function announcePage({ url, arrival }: Journey, { route }: RouteMatch): void {
  if (!isPublic(route) || arrival === 'first' || url.pathname === currentView().url.pathname) return
  fetch(url.pathname, { method: 'HEAD', headers: { [inAppHeader]: '1' } }).catch(() => {})
}

/** Lets the browser load a page of the other program, or one that does not exist. */
function leaveProgram(journey: Journey, notice?: PlainKey): void {
  storeFlashMessage(notice ?? null)
  loadWhole(journey)
}

const addressOf = ({ route, params, prefix }: RouteMatch): string =>
  withPrefix(prefix ?? 'en', pathTo(route.name, params))

/** An address with a prefix is in its language; all others use the stored choice. */
const languageFor = (match: RouteMatch): Language => match.prefix ?? storedLanguage() ?? currentLanguage()

async function isRedirected(journey: Journey, { route }: RouteMatch): Promise<boolean> {
  if (route.guard === 'anyone') return false
  const { state } = await resolvedSession()
  if (underWay !== journey) return true
  const redirected = redirectFor(route.guard, state)
  if (!redirected) return false
  console.log(redirected.log)
  if (redirected.isInterruption) storeReturnUrl(journey.url.pathname + journey.url.search + journey.url.hash)
  const url = new URL(pathTo(redirected.to), location.href)
  const isLink = !redirected.isInterruption && isEmailedLink(route.name)
  await go({ url, arrival: 'link', isReplacing: journey.isReplacing }, isLink ? undefined : redirected.notice)
  if (isLink) offerEmailedLink(journey.url)
  return true
}

async function showNavigationError(journey: Journey, match: RouteMatch, failure: unknown): Promise<void> {
  if (failure instanceof ChunkMissing && isFirstTry(journey.url)) return loadWhole(journey)
  const isSessionOver = failure instanceof CallFailed && failure.status === 401
  if (isSessionOver && currentSession().state === 'signedOut')
    return requireSignIn(journey.url, 'layout.notice.sessionEnded')
  if (!(failure instanceof CallFailed || failure instanceof ChunkMissing)) console.error(failure)
  const message = failure instanceof CallFailed ? failure.message : say('errors.offline')
  const view = currentView()
  const hasLeft = journey.arrival === 'history' || view.content.kind === 'loading'
  if (hasLeft) showView({ ...view, ...match, url: journey.url, content: { kind: 'failed', message } })
  else showNotice(message, 'error')
}

/**
 * After a deployment, the scripts of an open page no longer exist, so the next page is loaded from the server, once.
 */
function isFirstTry(url: URL): boolean {
  const triedKey = '_loadedWhole'
  if (!navigator.onLine || readItem('sessionStorage', triedKey) === url.href) return false
  writeItem('sessionStorage', triedKey, url.href)
  return readItem('sessionStorage', triedKey) === url.href
}

function loadWhole({ url, isReplacing }: Journey): void {
  if (url.href === location.href) location.reload()
  else if (isReplacing) location.replace(url)
  else location.assign(url)
}
