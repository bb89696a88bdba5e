import { writeItem } from '../state/browser-storage.ts'
import { htmlLanguage } from '../i18n/language.ts'
import { say, speak } from '../i18n/current-language.ts'
import { clearNotices } from '../notices/notices.ts'
import { enterEntry, keepScroll, newEntry } from './scroll.ts'
import { isPublic, pathIn } from '../routes/routes.ts'
import { headOfView, titleOfView } from './head-of-view.ts'
import { showView, type View } from './view.ts'

/** Displays a view: updates the address, the document's head, and the page together. */
export function commitNavigation(view: View, isReplacing: boolean): void {
  writeItem('sessionStorage', '_loadedWhole', null)
  keepScroll()
  if (isReplacing) history.replaceState(history.state, '', view.url)
  else history.pushState(newEntry(), '', view.url)
  enterEntry()
  if (view.arrival !== 'inPlace') clearNotices()
  describe(view)
  showView(view)
}

/** Sets the document's language, title, and description for a view that the server did not render. */
export function describe(view: View): void {
  const { language, messages, route, params, url } = view
  const head = headOfView(view)
  speak(language, messages)
  document.documentElement.lang = htmlLanguage[language]
  document.title = titleOfView(view, say)
  document
    .querySelector('meta[name="description"]')
    ?.setAttribute('content', head.description ?? say(route.description))
  const path = isPublic(route) ? pathIn(language, route.name, params) : url.pathname
  document.querySelector('link[rel="canonical"]')?.setAttribute('href', url.origin + path)
}
