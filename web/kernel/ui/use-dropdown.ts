import { useEffect, useRef, type RefObject } from 'react'

/** Makes a native disclosure also close on Escape, on a click elsewhere, and after a choice. */
export function useDropdown(): RefObject<HTMLDetailsElement | null> {
  const ref = useRef<HTMLDetailsElement>(null)
  useEffect(() => (ref.current ? closeInTime(ref.current) : undefined), [])
  return ref
}

function closeInTime(details: HTMLDetailsElement): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const summary = details.querySelector('summary')
  const isWithin = (target: EventTarget | null) => target instanceof Node && details.contains(target)
  const closeFromOutside = ({ target }: Event) => {
    if (!isWithin(target)) details.open = false
  }
  document.addEventListener('pointerdown', closeFromOutside, { signal })
  document.addEventListener('focusin', closeFromOutside, { signal })
  details.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('a, button')) details.open = false
    },
    { signal },
  )
  details.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !details.open) return
      event.stopPropagation()
      details.open = false
      summary?.focus()
    },
    { signal },
  )
  return () => listening.abort()
}
