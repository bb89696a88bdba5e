/** Fields name their place so that what speaks of it can lead there. */
const fieldOf = (place: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`)

/**
 * Puts the focus where a place is in the form on this page, in whatever is folded around it. Where it has no field of its own,
 * the nearest around it. True if there is one.
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
