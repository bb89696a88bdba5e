// The simulated browser has no popovers. This covers what menus use: buttons with a target, Escape, and the focus.

const opened = new Map<HTMLElement, Element | null>()

function setOpen(popover: HTMLElement, isOpen: boolean): void {
  const opener = opened.get(popover)
  if (opened.has(popover) === isOpen) return
  if (isOpen) opened.set(popover, document.activeElement)
  else opened.delete(popover)
  const hadFocus = popover.contains(document.activeElement)
  const [oldState, newState] = isOpen ? ['closed', 'open'] : ['open', 'closed']
  popover.dispatchEvent(Object.assign(new Event('toggle'), { oldState, newState }))
  if (!isOpen && hadFocus && opener instanceof HTMLElement) opener.focus()
}

/** Test files of a worker share the window. */
export function addPopovers(): void {
  if (HTMLElement.prototype.hidePopover !== undefined) return
  HTMLElement.prototype.hidePopover = function hide() {
    setOpen(this, false)
  }

  document.addEventListener('click', ({ target }) => {
    const id = target instanceof Element && target.closest('[popovertarget]')?.getAttribute('popovertarget')
    const popover = id ? document.getElementById(id) : null
    if (popover) setOpen(popover, !opened.has(popover))
  })
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') for (const popover of opened.keys()) setOpen(popover, false)
  }
  document.addEventListener('keydown', closeOnEscape, { capture: true })
}
