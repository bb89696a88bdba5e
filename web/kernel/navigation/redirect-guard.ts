import type { Language } from '#contract/platform/fields.ts'
import { say } from '../i18n/current-language.ts'
import { storeFlashMessage } from '../notices/flash-message.ts'
import { showNotice } from '../notices/notices.ts'
import { matchRoute } from '../routes/match-route.ts'
import { pathTo, type Route } from '../routes/routes.ts'
import { resolvedSession } from '../session/session.ts'
import { describe } from './commit-navigation.ts'
import { redirectFor } from './guard.ts'
import { storeReturnUrl } from './return-url.ts'
import { isEmailedLink, offerEmailedLink } from './offer-emailed-link.ts'
import { loadView } from './load-view.ts'
import type { View } from './view.ts'

/**
 * Redirects a visitor from a first page that they cannot open. Returns null if no redirect is needed or if the session
 * is unknown.
 */
export async function redirectFromGuard({ guard, name }: Route, language: Language): Promise<View | null> {
  const session = await resolvedSession().catch(() => null)
  const redirected = session && redirectFor(guard, session.state)
  if (!redirected) return null
  console.log(redirected.log)
  const requestedUrl = new URL(location.href)
  if (redirected.isInterruption) storeReturnUrl(location.pathname + location.search + location.hash)
  const url = new URL(pathTo(redirected.to), location.href)
  const match = matchRoute(url.pathname)
  if (!match) {
    storeFlashMessage(redirected.notice)
    location.replace(url)
    // The browser is leaving the page, so nothing else is shown.
    return new Promise(() => {})
  }
  const view = await loadView(url, match, language, 'link')
  history.replaceState(history.state, '', url)
  describe(view)
  if (!redirected.isInterruption && isEmailedLink(name)) offerEmailedLink(requestedUrl)
  else showNotice(say(redirected.notice))
  return view
}
