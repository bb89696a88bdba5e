import type { Language } from '#contract/fields.ts'
import type { Messages } from '../i18n/message-key.ts'
import type { Page } from '../routes/page.ts'
import type { Route } from '../routes/route.ts'

/** How the reader came to a view: that decides about scrolling and focus. */
export type Arrival = 'first' | 'link' | 'history' | 'inPlace'

/** What stands inside the frame. */
export type Content =
  | { kind: 'page'; page: Page; data: unknown }
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }

/** All that is shown at one moment. */
export type View = {
  url: URL
  route: Route
  params: Record<string, string>
  language: Language
  messages: Messages
  content: Content
  arrival: Arrival
}

type Listener = (view: View) => void

let current: View | undefined
const listeners = new Set<Listener>()

export function currentView(): View {
  if (!current) throw new Error('nothing is shown yet')
  return current
}

export function beginWith(view: View): void {
  current = view
}

export function showView(view: View): void {
  current = view
  for (const listener of listeners) listener(view)
}

export function onView(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
