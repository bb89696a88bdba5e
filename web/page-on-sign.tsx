import { lazy, useEffect, type ComponentType } from 'react'
import { currentView } from './kernel/navigation/view.ts'
import type { Page, PageProps } from './kernel/routes/page.ts'
import { loadPage, type Route } from './kernel/routes/routes.ts'

/** Events that show that a reader is there. A browser that fills in a form only sends `input`. */
const signs = ['pointerover', 'pointerdown', 'focusin', 'keydown', 'input', 'click'] as const
/** Milliseconds after which an open page is being read, even if no event says so: a screen reader may send none. */
const readingTime = 10_000

const nextSign = (): Promise<void> =>
  new Promise((resolve) => {
    for (const sign of signs) addEventListener(sign, () => resolve(), { once: true, capture: true })
    setTimeout(resolve, readingTime)
  })

/** Whether a reader was faster than this script. */
const wasTouched = (): boolean =>
  document.activeElement !== document.body ||
  [...document.querySelectorAll<HTMLInputElement>('main :is(input, textarea)')].some(
    // A checkbox without a `value` attribute has the value "on" but an empty default, so only its state counts.
    ({ checked, defaultChecked, type, value, defaultValue }) =>
      type === 'checkbox' || type === 'radio' ? checked !== defaultChecked : value !== defaultValue,
  )

const firstSign = wasTouched() ? Promise.resolve() : nextSign()

/**
 * The page of this document, hydrated at the first sign of a reader. Until then it stays as the server rendered it, and
 * its script is not requested.
 */
export function pageOnSign(route: Route): Page {
  const View = lazy(async () => {
    const { View: Shown } = await loadAfter(firstSign, route)
    return {
      default: function Hydrated(props: PageProps<unknown>) {
        useEffect(repeatPress, [])
        return <Shown {...props} />
      },
    }
  })
  own = { View: View as ComponentType<PageProps<unknown>> }
  return own
}

/** Without a connection, the next sign tries again. */
async function loadAfter(sign: Promise<void>, route: Route): Promise<Page> {
  await sign
  return loadPage(route).catch(() => loadAfter(nextSign(), route))
}

let own: Page | undefined
let held: HTMLElement | undefined

/**
 * Holds the last press of a button of the page, or of a link to a film, which the page plays in place. Other links,
 * fields, and details work without the page's script. Once another page is shown, or this one in another language,
 * nothing is held.
 */
function holdPress(event: MouseEvent): void {
  if (own && !isShown(own)) return endHolding()
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const control =
    event.target instanceof Element && event.target.closest<HTMLElement>('main :is(button, a[data-film])')
  if (!control) return
  event.preventDefault()
  held = control
}

function isShown(page: Page): boolean {
  const { content } = currentView()
  return content.kind === 'page' && content.page === page
}

const endHolding = () => removeEventListener('click', holdPress, { capture: true })

function repeatPress(): void {
  endHolding()
  held?.click()
  held = undefined
}

addEventListener('click', holdPress, { capture: true })
