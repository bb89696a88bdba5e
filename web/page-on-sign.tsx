import { lazy, useEffect, type ComponentType } from 'react'
import { currentView } from './kernel/navigation/view.ts'
import type { Page, PageProps } from './kernel/routes/page.ts'
import { loadPage, type Route } from './kernel/routes/routes.ts'

/** Events that show that a reader is there. A browser that fills in a form only sends `input`. */
const signs = ['pointerover', 'pointerdown', 'focusin', 'keydown', 'input', 'click'] as const

const nextSign = (): Promise<void> =>
  new Promise((resolve) => {
    for (const sign of signs) addEventListener(sign, () => resolve(), { once: true, capture: true })
  })

/**
 * The page of this document, hydrated at the first sign of a reader. Until then it stays as the server rendered it, and
 * its script is not requested.
 */
export function pageOnSign(route: Route): Page {
  const View = lazy(async () => {
    const { View: Shown } = await loadOnSign(route)
    return {
      default: function Hydrated(props: PageProps<unknown>) {
        useEffect(repeatPress, [])
        return <Shown {...props} />
      },
    }
  })
  const page: Page = { View: View as ComponentType<PageProps<unknown>> }
  const repeatPress = holdPress(page)
  return page
}

/** Without a connection, the next sign tries again. */
async function loadOnSign(route: Route): Promise<Page> {
  await nextSign()
  return loadPage(route).catch(() => loadOnSign(route))
}

/**
 * Holds the last press of a button of the page, or of a link to a film, which the page plays in place. The returned
 * function repeats it. Other links, fields, and details work without the page's script. Once another page is shown, or
 * this one in another language, nothing is held.
 */
function holdPress(page: Page): () => void {
  let held: HTMLElement | null = null
  const stop = () => removeEventListener('click', hold, { capture: true })
  const hold = (event: MouseEvent) => {
    const { content } = currentView()
    if (content.kind !== 'page' || content.page !== page) return stop()
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const control =
      event.target instanceof Element && event.target.closest<HTMLElement>('main :is(button, a[data-film])')
    if (!control) return
    event.preventDefault()
    held = control
  }
  addEventListener('click', hold, { capture: true })
  return () => {
    stop()
    held?.click()
    held = null
  }
}
