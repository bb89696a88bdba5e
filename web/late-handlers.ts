import { currentView } from './kernel/navigation/view.ts'
import { navigate } from './kernel/navigation/navigate.ts'
import { registerOfflinePage } from './kernel/offline/register-offline-page.ts'
import { pathTo } from './kernel/routes/routes.ts'
import { areShortcutsOn, isShortcut } from './kernel/shortcuts/use-shortcuts.ts'

let isListening = false

/** Adds what no page needs to wait for: the search key and the offline page. `sign` is the event that triggered this. */
export function addLateHandlers(sign?: Event): void {
  if (sign instanceof KeyboardEvent) searchOnKey(sign)
  if (isListening) return
  isListening = true
  document.addEventListener('keydown', searchOnKey)
  registerOfflinePage()
}

/** Opens the search on the slash key, except in the console, which has its own search. */
function searchOnKey(event: KeyboardEvent): void {
  const { guard, name } = currentView().route
  if (event.key !== '/' || guard === 'staff' || !isShortcut(event) || !areShortcutsOn()) return
  event.preventDefault()
  if (name === 'search') return focusSearch()
  // Navigation first moves the focus to the heading of the new page.
  document.addEventListener('focusin', focusSearch, { once: true })
  void navigate(pathTo('search'))
}

function focusSearch(): void {
  if (currentView().route.name === 'search')
    document.querySelector<HTMLInputElement>('main input[type=search]')?.select()
}
