import type { Language } from '#contract/fields.ts'
import { say } from '../i18n/spoken-now.ts'
import { carryNotice } from '../notices/carried-notice.ts'
import { showNotice } from '../notices/notices.ts'
import { matchRoute } from '../routes/match-route.ts'
import { pathTo } from '../routes/routes.ts'
import { describe } from './arrive.ts'
import type { Diversion } from './guard.ts'
import { interrupt } from './interrupted-path.ts'
import { loadView } from './load-view.ts'
import type { View } from './view.ts'

/** Redirects a visitor away from a first page that is not for them. */
export async function divert(diverted: Diversion, language: Language): Promise<View> {
  console.log(diverted.log)
  if (diverted.isInterruption) interrupt(location.pathname + location.search + location.hash)
  const url = new URL(pathTo(diverted.to), location.href)
  const match = matchRoute(url.pathname)
  if (!match) {
    carryNotice(diverted.notice)
    location.replace(url)
    // The browser is leaving: nothing more is shown here.
    return new Promise(() => {})
  }
  const view = await loadView(url, match, language, 'link')
  history.replaceState(history.state, '', url)
  describe(view)
  showNotice(say(diverted.notice))
  return view
}
