import type { Language } from '#contract/platform/fields.ts'
import { createStore } from '../state/create-store.ts'
import type { LocalizedBrand } from '../content/brand.tsx'
import type { Messages } from '../i18n/message-key.ts'
import type { Page } from '../routes/page.ts'
import type { Route } from '../routes/routes.ts'

/** How the reader reached a view, which determines scrolling and focus. */
export type Arrival = 'first' | 'link' | 'history' | 'inPlace'

/** What is shown inside the frame. */
export type Content =
  | { kind: 'page'; page: Page; data: unknown }
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }

/** Everything that is shown at one point in time. */
export type View = {
  url: URL
  route: Route
  params: Record<string, string>
  language: Language
  messages: Messages
  brand: LocalizedBrand
  content: Content
  arrival: Arrival
  /** Called once this view, or one derived from it, is in the document. */
  onShown?: (view: View) => void
}

const shown = createStore<View | undefined>(undefined)

export function currentView(): View {
  const view = shown.get()
  if (!view) throw new Error('no view')
  return view
}

export const showView: (view: View) => void = shown.set

export const onView = (listener: (view: View) => void): (() => void) =>
  shown.subscribe(() => listener(currentView()))
