import { useCallback, useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import styles from './roadmap.module.css'
import {
  clickPause,
  fewAtOnce,
  isAtEnd,
  isAtStart,
  leftAfterClick,
  makeClickFilter,
  scrollDuration,
  type Position,
} from './roadmap-steps.ts'

/** A natively scrolling rail, whose list is its content, with a button for each direction; a button at its end is hidden. */
export function RoadmapCarousel({
  label,
  previousLabel,
  nextLabel,
  count,
  children,
}: {
  label: string
  previousLabel: string
  nextLabel: string
  /** The number of milestones: if all fit, no button is ever shown. */
  count: number
  children: ReactNode
}) {
  const rail = useRef<HTMLDivElement>(null)
  const previous = useRef<HTMLButtonElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const journey = useRef({ target: 0, begunAt: -Infinity })
  const [counts] = useState(() => makeClickFilter(clickPause))
  const [ends, setEnds] = useState({ isAtStart: true, isAtEnd: count <= fewAtOnce })
  const isStill = ends.isAtStart && ends.isAtEnd

  const measure = useCallback(() => {
    const position = positionOf(rail.current)
    if (!position) return
    const [atStart, atEnd] = [isAtStart(position), isAtEnd(position)]
    setEnds((known) =>
      known.isAtStart === atStart && known.isAtEnd === atEnd ? known : { isAtStart: atStart, isAtEnd: atEnd },
    )
  }, [])

  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (rail.current) observer.observe(rail.current)
    return () => observer.disconnect()
  }, [measure])

  // A hidden button loses the focus, so the other one gets it.
  useEffect(() => {
    const focused = document.activeElement
    if (ends.isAtStart && focused === previous.current) next.current?.focus()
    if (ends.isAtEnd && focused === next.current) previous.current?.focus()
  }, [ends])

  const move = (direction: -1 | 1) => (event: MouseEvent) => {
    const position = positionOf(rail.current)
    if (!position || !counts(event.timeStamp)) return
    // During a smooth scroll, the next click starts from the scroll's target.
    const isUnderWay = event.timeStamp - journey.current.begunAt < scrollDuration
    const left = isUnderWay ? journey.current.target : position.left
    const target = leftAfterClick({ ...position, left }, direction)
    journey.current = { target, begunAt: event.timeStamp }
    rail.current?.scrollTo({ left: target })
  }

  return (
    <div className={styles.carousel}>
      <div className={styles.buttons}>
        <button
          ref={previous}
          type="button"
          aria-label={previousLabel}
          data-hidden={ends.isAtStart || undefined}
          onClick={move(-1)}
        >
          <Arrow path="M19 8H1.5M8 1.5 1.5 8 8 14.5" />
        </button>
        <button
          ref={next}
          type="button"
          aria-label={nextLabel}
          data-hidden={ends.isAtEnd || undefined}
          onClick={move(1)}
        >
          <Arrow path="M1 8h17.5M12 1.5 18.5 8 12 14.5" />
        </button>
      </div>
      <div
        ref={rail}
        className={styles.rail}
        role="group"
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the arrow keys
        tabIndex={isStill ? undefined : 0}
        onScroll={measure}
      >
        {children}
      </div>
    </div>
  )
}

const positionOf = (rail: HTMLElement | null): Position | null =>
  rail && { left: rail.scrollLeft, width: rail.clientWidth, contentWidth: rail.scrollWidth }

const Arrow = ({ path }: { path: string }) => (
  <svg width="20" height="16" viewBox="0 0 20 16" aria-hidden="true">
    <path d={path} fill="none" stroke="currentColor" strokeWidth="1.25" />
  </svg>
)
