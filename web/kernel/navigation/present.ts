import { SECOND } from '#contract/platform/durations.ts'
import { awaited } from '../state/awaited.ts'
import { isPrivate } from './guard.ts'
import { storedScroll } from './scroll.ts'
import type { View } from './view.ts'

/** Sets scroll position and focus once a view is in the document. */
export function present(view: View): void {
  const { arrival, content, route } = view
  if (arrival === 'link' || arrival === 'history') restorePosition(view)
  if (arrival !== 'inPlace' && content.kind === 'page' && isPrivate(route.guard)) showPartsTogether()
}

function restorePosition({ arrival, url }: View): void {
  const target = arrival === 'link' ? document.getElementById(url.hash.slice(1)) : null
  const heading = target ?? document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
  if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading?.focus({ preventScroll: true })
  if (target) target.scrollIntoView()
  else scrollTo(0, arrival === 'history' ? storedScroll() : 0)
}

/** How long the parts of a page wait for each other, in milliseconds. */
const patience = 1.5 * SECOND
/** The number of consecutive frames without loading parts, because a loaded part can request more data. */
const calmFrames = 3

let gathering: object | undefined

/**
 * Member and staff pages consist of parts that load their own data. They appear together, so that none of them moves
 * another one while the reader is about to click it.
 */
function showPartsTogether(): void {
  const page = document.documentElement
  const mine = {}
  gathering = mine
  page.dataset['gathering'] = ''
  const begunAt = performance.now()
  let calm = 0
  const check = () => {
    if (gathering !== mine) return
    calm = awaited.get() === 0 ? calm + 1 : 0
    if (calm < calmFrames && performance.now() - begunAt < patience) requestAnimationFrame(check)
    else delete page.dataset['gathering']
  }
  requestAnimationFrame(check)
}
