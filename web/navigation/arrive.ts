import { writeItem } from '../browser-storage.ts'
import { htmlLanguage } from '../i18n/language.ts'
import { say, speak } from '../i18n/spoken-now.ts'
import { enterEntry, keepScroll, newEntry } from './scroll.ts'
import { showView, type View } from './view.ts'

/** Makes the address, the head of the document and the page agree on a view. */
export function arrive(view: View, isReplacing: boolean): void {
  writeItem('sessionStorage', '_loadedWhole', null)
  keepScroll()
  if (isReplacing) history.replaceState(history.state, '', view.url)
  else history.pushState(newEntry(), '', view.url)
  enterEntry()
  speak(view.language, view.messages)
  document.documentElement.lang = htmlLanguage[view.language]
  document.title = say(view.route.title)
  document.querySelector('meta[name="description"]')?.setAttribute('content', say(view.route.description))
  document.querySelector('link[rel="canonical"]')?.setAttribute('href', view.url.origin + view.url.pathname)
  showView(view)
}
