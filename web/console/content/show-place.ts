import { useEffect } from 'react'

/** Fields carry their place as an attribute, so that problems can link to them. */
const fieldOf = (place: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`)

/**
 * Focuses the field of a place and expands the sections that contain it. If the place has no field, the nearest
 * enclosing one is used. Returns whether a field was found.
 */
export function showPlace(place: string): boolean {
  for (let at = place; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const field = fieldOf(at)
    if (!field) continue
    for (let around = field.parentElement; around; around = around.parentElement)
      if (around instanceof HTMLDetailsElement) around.open = true
    const control = field.matches('input, textarea, select, summary')
      ? field
      : field.querySelector<HTMLElement>('summary, input, textarea, select, button')
    control?.scrollIntoView({ block: 'center' })
    control?.focus({ preventScroll: true })
    return true
  }
  return false
}

/** Moves to the place in the address once its field is rendered. */
export function useShownPlace(at: string | null, isThere = true): void {
  useEffect(() => {
    if (at !== null && isThere) showPlace(at)
  }, [at, isThere])
}
