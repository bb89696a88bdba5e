import { useEffect, useId, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { SECOND } from '#contract/platform/durations.ts'
import { useMessages } from '../i18n/messages.tsx'
import { dismissNotice, type Notice } from '../notices/notices.ts'
import type { ColorScheme } from './color-scheme.ts'
import styles from './notices.module.css'

const shownFor = 9 * SECOND
const offeredFor = 60 * SECOND

/** The notices in their region, which moves to where they cover less of the page. */
function NoticeCards({
  shown,
  ground,
  region,
}: {
  shown: readonly Notice[]
  ground: ColorScheme
  region: RefObject<HTMLElement | null>
}) {
  usePlace(region, shown.length > 0)
  return shown.map((notice) => <NoticeCard key={notice.id} notice={notice} ground={ground} />)
}

export default { NoticeCards }

type Place = 'bottom' | 'top'
type Rect = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
/** A control or heading of the page, and its importance. */
type Control = Rect & { weight: number }

/** Returns the place where notices cover fewer controls and headings. They stay where they are unless the other place is better. */
export function betterPlace(
  before: Place,
  notices: Readonly<Record<Place, Rect>>,
  controls: readonly Control[],
): Place {
  const other = before === 'top' ? 'bottom' : 'top'
  const covered = (place: Place) =>
    controls.reduce((sum, control) => sum + (isOver(notices[place], control) ? control.weight : 0), 0)
  return covered(other) < covered(before) ? other : before
}

const isOver = (one: Rect, other: Rect): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/**
 * Content that is shown once and must be saved, such as recovery codes, has the most weight, followed by a form's
 * button.
 */
const weightOf = (control: Element): number =>
  control.closest('[data-keep-clear]') ? 100 : control instanceof HTMLButtonElement ? 5 : 1

/** Notices must not cover controls and headings of the page. */
function usePlace(ref: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    let place: Place = 'bottom'
    const take = (next: Place) => {
      place = next
      if (ref.current) ref.current.dataset['place'] = next
    }
    take(place)
    if (!isShown) return undefined
    const updatePlace = () => {
      const { current: section } = ref
      if (!section) return
      const { left, right, height } = section.getBoundingClientRect()
      const edge = parseFloat(getComputedStyle(section).getPropertyValue('--edge')) || 0
      const top = edge + (document.querySelector('header')?.getBoundingClientRect().height ?? 0)
      const bottom = innerHeight - edge
      const places = {
        top: { left, right, top, bottom: top + height },
        bottom: { left, right, top: bottom - height, bottom },
      }
      const controls = [
        ...document.querySelectorAll(':is(main, nav) :is(a, button, input, select, textarea, h1, h2, h3)'),
      ]
      const weighed = controls.map((control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect()
        return { left, right, top, bottom, weight: weightOf(control) }
      })
      take(betterPlace(place, places, weighed))
    }
    updatePlace()
    const observer = new ResizeObserver(updatePlace)
    observer.observe(document.body)
    addEventListener('scroll', updatePlace, { passive: true })
    addEventListener('resize', updatePlace)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', updatePlace)
      removeEventListener('resize', updatePlace)
    }
  }, [ref, isShown])
}

function NoticeCard({ notice, ground }: { notice: Notice; ground: ColorScheme }) {
  const { t } = useMessages()
  const { id, kind, text, action, other } = notice
  const [isHeld, setHeld] = useState(false)
  const passesAfter = action ? (action.isOffer ? offeredFor : null) : kind === 'error' ? null : shownFor
  useEffect(() => {
    if (isHeld || passesAfter === null) return undefined
    const timer = setTimeout(() => dismissNotice(id), passesAfter)
    return () => clearTimeout(timer)
  }, [id, isHeld, passesAfter])
  const textId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const takesFocus = action?.isOffer === true
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true })
  }, [takesFocus])
  // The focus disappears with the button, so it moves to the start of the page.
  const answer = () => {
    dismissNotice(id)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <div
      className={styles.notice}
      data-kind={kind}
      data-ground={ground}
      // Unlike pointerenter, this ignores a pointer that was there before the notice appeared.
      onPointerMove={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p id={textId} lang={action?.lang}>
        {text}
      </p>
      {[action, other].map(
        (each, index) =>
          each && (
            <button
              key={each.label}
              ref={index === 0 ? button : undefined}
              type="button"
              className={styles.action}
              aria-describedby={textId}
              lang={each.lang}
              onClick={() => {
                answer()
                each.run()
              }}
            >
              {each.label}
            </button>
          ),
      )}
      <button type="button" className={styles.dismiss} onClick={answer}>
        {t('layout.notices.dismiss')}
      </button>
    </div>
  )
}
