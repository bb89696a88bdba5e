import {
  clickPause,
  isAtEnd,
  isAtStart,
  leftAfterClick,
  makeClickFilter,
  roadmapStep,
  scrollDuration,
  type Position,
} from './roadmap-steps.ts'

/** Scrolls the carousel to today, and makes its buttons work. Returns a function that undoes this. */
export function hydrateCarousel(carousel: HTMLElement): () => void {
  const rail = carousel.querySelector<HTMLElement>('[role=group]')
  const [previous, next] = carousel.querySelectorAll('button')
  if (!rail || !previous || !next) return () => {}
  const listening = new AbortController()
  const { signal } = listening
  const counts = makeClickFilter(clickPause)
  let journey = { target: 0, startedAt: -Infinity }

  const measure = () => {
    const position = positionOf(rail)
    const [atStart, atEnd] = [isAtStart(position), isAtEnd(position)]
    const focused = document.activeElement
    previous.toggleAttribute('data-hidden', atStart)
    next.toggleAttribute('data-hidden', atEnd)
    // A hidden button would lose the focus, so the other one receives it.
    if (atStart && focused === previous) next.focus()
    if (atEnd && focused === next) previous.focus()
    if (atStart && atEnd) rail.removeAttribute('tabindex')
    else rail.tabIndex = 0
  }
  const move = (direction: -1 | 1) => (event: MouseEvent) => {
    if (!counts(event.timeStamp)) return
    const position = positionOf(rail)
    // During a smooth scroll, the next click starts from the target of the scroll.
    const isUnderWay = event.timeStamp - journey.startedAt < scrollDuration
    const left = isUnderWay ? journey.target : position.left
    const target = leftAfterClick({ ...position, left }, direction)
    journey = { target, startedAt: event.timeStamp }
    rail.scrollTo({ left: target })
  }
  openAtToday(rail)
  previous.addEventListener('click', move(-1), { signal })
  next.addEventListener('click', move(1), { signal })
  rail.addEventListener('scroll', measure, { signal })
  const observer = new ResizeObserver(measure)
  observer.observe(rail)
  return () => {
    observer.disconnect()
    listening.abort()
  }
}

/** Shows today's milestone second, after the last completed one. */
function openAtToday(rail: HTMLElement): void {
  const milestones = [...rail.querySelectorAll('li')]
  const today = milestones.findIndex((each) => each.ariaCurrent === 'date')
  if (today > 0) rail.scrollTo({ left: (today - 1) * roadmapStep, behavior: 'instant' })
}

const positionOf = (rail: HTMLElement): Position => ({
  left: rail.scrollLeft,
  width: rail.clientWidth,
  contentWidth: rail.scrollWidth,
})
