import { startTransition } from 'react'
import { apiBase, setAppId } from './kernel/call/app-config.ts'
import { keepMessages, loadedBrand } from './kernel/content/known-content.ts'
import { speak } from './kernel/i18n/current-language.ts'
import { addEventHandlers } from './event-handlers.ts'
import { matchRoute } from './kernel/routes/match-route.ts'
import { loadJourney } from './kernel/navigation/navigate.ts'
import { prepareFrame, prepareFramesWith } from './kernel/navigation/prepare-frame.ts'
import { showView, type View } from './kernel/navigation/view.ts'
import { pageDataId, sentFiles, type PageData } from './kernel/page-data.ts'
import { Router, type Frame } from './router.tsx'
import type { Page } from './kernel/routes/page.ts'
import { getRoute, loadPage, type Route } from './kernel/routes/routes.ts'
import { mayHaveSession, resolvedSession } from './kernel/session/session.ts'

const container = document.getElementById('page')
const data = JSON.parse(document.getElementById(pageDataId)?.textContent ?? '') as PageData

/** The page exactly as the server rendered it. */
async function serversView(
  route: Route,
  loadThisPage: (route: Route) => Page | Promise<Page>,
): Promise<View> {
  const url = new URL(location.href)
  const { language, messages, brand, content: given } = data
  const content = given.kind === 'page' ? { ...given, page: await loadThisPage(route) } : given
  const params = matchRoute(url.pathname)?.params ?? {}
  return { url, route, params, language, messages, brand, content, arrival: 'first' }
}

/** Requested before anything else, because it listens for the first sign of a reader. */
function loadPageOnSign() {
  const waits = data.waits && !location.search && !location.hash && !mayHaveSession()
  return waits ? import('./page-on-sign.tsx') : undefined
}

/** The page of this document. The document names its script, so the list of all pages is not needed yet. */
async function ownPage(): Promise<Page> {
  const { default: page } = (await import(/* @vite-ignore */ data.script)) as { default: Page }
  // In development, styles are loaded by their scripts.
  if (import.meta.env.DEV) await page.parts?.load()
  return page
}

/** If a guard can already decide, it redirects the visitor before hydration. */
async function redirectedView(route: Route): Promise<View | null> {
  const { guard, rendered } = route
  const isOpen =
    guard === 'anyone' ||
    (guard === 'stranger' ? !mayHaveSession() : rendered === 'shell' && mayHaveSession())
  // A visitor page that was sent as a shell is filled and guarded like all later pages.
  if (isOpen || (guard === 'stranger' && rendered === 'shell')) return null
  const { redirectFromGuard } = await import('./kernel/navigation/redirect-guard.ts')
  return redirectFromGuard(route, data.language)
}

/** Requests everything that fills a shell at once, before hydration. Failures are reported where the data is used. */
function requestShellContent(): void {
  const asked = [
    apiBase(),
    resolvedSession(),
    loadJourney().then(({ prefetchData }) => prefetchData(location.href)),
  ]
  for (const each of asked) each.catch(() => {})
}

/** Hydrates the page that the server sent, in its program's frame. */
export async function begin(frame: Frame): Promise<void> {
  if (!container) return
  const onSign = loadPageOnSign()
  setAppId(data.appId)
  speak(data.language, data.messages)
  const route = Object.assign(getRoute(data.route), data.contents)
  keepMessages(data.language, sentFiles(route), data.messages)
  loadedBrand.set(data.language, data.brand)
  route.find = ownPage
  if (frame.prepare) prepareFramesWith(frame.prepare)
  if (data.content.kind === 'loading') requestShellContent()
  // Lets the browser paint first, because hydration is one long task.
  await new Promise((resolve) => setTimeout(resolve))
  const [{ createRoot, hydrateRoot }, redirected, pageOnSign] = await Promise.all([
    import('react-dom/client'),
    redirectedView(route),
    onSign,
    prepareFrame(route, !import.meta.env.DEV),
  ])
  const view = redirected ?? (await serversView(route, pageOnSign?.pageOnSign ?? loadPage))
  showView(view)
  const app = <Router first={view} year={data.year} frame={frame} />
  startTransition(() => {
    if (redirected) createRoot(container).render(app)
    else hydrateRoot(container, app)
  })
  addEventHandlers()
  if (view.content.kind === 'loading') await (await loadJourney()).fillShell()
  else await resolvedSession()
}
