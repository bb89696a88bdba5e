import { useEffect } from 'react'

/** Fields carry their place as an attribute, so that problems can link to them. */
const fieldOf = (place: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`)

/**
 * Focuses the field of a place in the form and expands what contains it. Without a field of its own, the
 * nearest enclosing one is used. Returns true if there is one.
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

/** Moves to the place named in the address, once its field is rendered. */
export function useShownPlace(at: string | null, isThere = true): void {
  useEffect(() => {
    if (at !== null && isThere) showPlace(at)
  }, [at, isThere])
}
