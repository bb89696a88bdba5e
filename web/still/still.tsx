import { useEffect, useReducer, useRef, type ComponentType, type HTMLAttributes } from 'react'
import type { LateParts } from './late-parts.ts'
import styles from './still.module.css'

// oxlint-disable-next-line typescript/no-explicit-any -- components of every kind
type Shows = ComponentType<any>
type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never

/** React leaves what is in an element whose content is given as HTML, and looks into none of it. */
const asServed = {
  __html: ((globalThis as { trustedTypes?: { emptyHTML: unknown } }).trustedTypes?.emptyHTML ?? '') as string,
}

/**
 * A part of a page that only shows something. In the first page of a visit it stays as the server made it, without the
 * script that draws it; once that is loaded (see `LateParts`) it is drawn like everything else.
 */
export function Still<All, Name extends keyof All & string>({
  of,
  part,
  as: As = 'div',
  given,
  ...attributes
}: Omit<HTMLAttributes<HTMLElement>, 'part'> & {
  of: LateParts<All>
  part: Name
  as?: 'div' | 'ol' | 'span' | 'ul'
  /** The part's own properties. */
  given: PropsOf<All[Name]>
}) {
  const place = useRef<never>(null)
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  // Where React had to make the page anew, nothing is there to stay.
  useEffect(() => {
    if ((place.current as HTMLElement | null)?.hasChildNodes() === false) of.load().then(drawAgain, () => {})
  }, [of])
  const Part = of.now()?.[part] as Shows | undefined
  // A wrapper that is nothing but that has no box of its own.
  const shared = { className: styles.still, ...attributes }
  // Two elements: what was served leaves with the first.
  if (Part)
    return (
      <As key="drawn" {...shared}>
        <Part {...(given as object)} />
      </As>
    )
  return (
    // oxlint-disable-next-line react/no-danger -- nothing is inserted: what the server has sent stays
    <As key="served" {...shared} ref={place} suppressHydrationWarning dangerouslySetInnerHTML={asServed} />
  )
}
