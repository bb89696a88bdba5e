import {
  useEffect,
  useReducer,
  useRef,
  useState,
  type ComponentType,
  type HTMLAttributes,
  type MouseEvent,
  type RefObject,
} from 'react'
import type { DeferredComponents } from './deferred-components.ts'
import styles from './still.module.css'

// oxlint-disable-next-line typescript/no-explicit-any -- components of any kind
type Shows = ComponentType<any>
type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never

/** React does not touch the content of an element if it is given as HTML. */
const asServed = {
  __html: ((globalThis as { trustedTypes?: { emptyHTML: unknown } }).trustedTypes?.emptyHTML ?? '') as string,
}

/**
 * A static component of a page. On the first page of a visit it stays as the server rendered it, without its script.
 * Once that is loaded (see `DeferredComponents`), it is rendered like any other component.
 */
export function Still<All, Name extends keyof All & string>({
  of,
  part,
  as: As = 'div',
  given,
  answers,
  hydrate,
  hydrateMedia,
  ...attributes
}: Omit<HTMLAttributes<HTMLElement>, 'part'> & {
  of: DeferredComponents<All>
  part: Name
  as?: 'div' | 'ol' | 'span' | 'ul'
  /** The component's own props. */
  given: PropsOf<All[Name]>
  /** Selector of the elements inside that need the script, which is loaded when a reader comes near them. */
  answers?: 'a' | 'button'
  /** Loads the code that makes the component interactive. The returned function undoes it. React is not involved. */
  hydrate?: () => Promise<(element: HTMLElement) => () => void>
  /** Media query of the screens on which it should be interactive. */
  hydrateMedia?: string
}) {
  const place = useRef<HTMLElement>(null)
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  const Part = of.now()?.[part] as Shows | undefined
  const isDrawn = Part !== undefined
  // If React had to render the page again, there is no server HTML to keep.
  useEffect(() => {
    if (place.current?.hasChildNodes() === false) of.load().then(drawAgain, () => {})
  }, [of])
  useEffect(() => {
    const element = place.current
    return element && hydrate ? whereItMatches(hydrateMedia, element, hydrate) : undefined
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- after rendering, it is a different element
  }, [isDrawn, hydrate, hydrateMedia])
  // A click before the component was rendered is repeated.
  const [pressed, setPressed] = useState<number>()
  useEffect(() => {
    if (!isDrawn || pressed === undefined) return
    const control = place.current && controlsIn(place.current, answers)[pressed]
    setPressed(undefined)
    control?.focus({ preventScroll: true })
    control?.click()
  }, [isDrawn, pressed, answers])
  const prepare = () => void of.load().catch(() => {})
  const press = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const control = event.target instanceof Element ? event.target.closest(answers ?? 'a') : null
    if (!control || !place.current) return
    event.preventDefault()
    const at = controlsIn(place.current, answers).indexOf(control as HTMLElement)
    of.load().then(
      () => setPressed(at),
      () => control instanceof HTMLAnchorElement && location.assign(control.href),
    )
  }
  // A wrapper without a box of its own.
  const shared = { className: styles.still, ...attributes }
  // Two elements, so that the server's HTML is removed with the first one.
  if (Part)
    return (
      <As key="drawn" {...shared} ref={place as RefObject<never>}>
        <Part {...(given as object)} />
      </As>
    )
  return (
    <As
      key="served"
      {...shared}
      {...(answers && { onClick: press, onPointerOver: prepare, onFocus: prepare })}
      ref={place as RefObject<never>}
      suppressHydrationWarning
      // oxlint-disable-next-line react/no-danger -- nothing is inserted: the server's HTML stays
      dangerouslySetInnerHTML={asServed}
    />
  )
}

const controlsIn = (element: HTMLElement, selector = 'a'): HTMLElement[] => [
  ...element.querySelectorAll<HTMLElement>(selector),
]

function whereItMatches(
  where = 'all',
  element: HTMLElement,
  hydrate: () => Promise<(element: HTMLElement) => () => void>,
): () => void {
  const query = matchMedia(where)
  let end: (() => void) | undefined
  let isOver = false
  const check = () => {
    if (!query.matches) return
    query.removeEventListener('change', check)
    hydrate().then(
      (begin) => {
        if (!isOver) end = begin(element)
      },
      () => {
        // Without its script the component stays static.
      },
    )
  }
  query.addEventListener('change', check)
  check()
  return () => {
    isOver = true
    query.removeEventListener('change', check)
    end?.()
  }
}
