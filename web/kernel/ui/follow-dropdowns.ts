/** Closes native disclosures with `data-dropdown` on Escape, on a click elsewhere, and after a choice. */
export function followDropdowns(): void {
  document.addEventListener('pointerdown', closeOthers)
  document.addEventListener('focusin', closeOthers)
  document.addEventListener('click', ({ target }) => {
    const dropdown = dropdownAround(target)
    if (dropdown && target instanceof Element && target.closest('a, button')) dropdown.open = false
  })
  // Runs before any other listener, so that Escape does nothing else.
  document.addEventListener('keydown', closeOnEscape, { capture: true })
}

const dropdownAround = (target: EventTarget | null): HTMLDetailsElement | null =>
  target instanceof Element ? target.closest<HTMLDetailsElement>('details[data-dropdown]') : null

function closeOthers({ target }: Event): void {
  const current = dropdownAround(target)
  for (const dropdown of document.querySelectorAll<HTMLDetailsElement>('details[data-dropdown][open]'))
    if (dropdown !== current) dropdown.open = false
}

function closeOnEscape(event: KeyboardEvent): void {
  const dropdown = dropdownAround(event.target)
  if (event.key !== 'Escape' || !dropdown?.open) return
  event.stopPropagation()
  dropdown.open = false
  dropdown.querySelector('summary')?.focus()
}
