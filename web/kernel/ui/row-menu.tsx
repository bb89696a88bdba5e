import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import styles from './row-menu.module.css'

export type MenuItem = { name: string; label: string; isDangerous?: boolean } & (
  | { href: string }
  | { onSelect: () => void }
)

/** A compact button that opens a menu of actions. `label` names what the actions are for. */
export function RowMenu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen || !menu.current) return
    placeMenu(menu.current)
    itemsIn(menu.current)[0]?.focus()
  }, [isOpen])
  const close = () => menu.current?.hidePopover()
  return (
    <>
      <button
        type="button"
        className={styles.button}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
        onKeyDown={openByArrow}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <div
        ref={menu}
        id={id}
        className={styles.menu}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        popover="auto"
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onKeyDown={(event) => {
          moveFocus(event)
          if (event.key === 'Tab') close()
        }}
      >
        {isOpen && items.map((item) => <Item key={item.name} item={item} close={close} />)}
      </div>
    </>
  )
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  const common = { role: 'menuitem', tabIndex: -1, 'data-dangerous': item.isDangerous || undefined }
  if ('href' in item)
    return (
      <a {...common} href={item.href} onClick={close}>
        {item.label}
      </a>
    )
  const select = () => {
    // The focus returns to the button first, so that a dialog returns it there.
    close()
    item.onSelect()
  }
  return (
    <button type="button" {...common} onClick={select}>
      {item.label}
    </button>
  )
}

/** Places the menu at its button in browsers without CSS anchor positioning, such as Firefox 140. */
function placeMenu(menu: HTMLElement): void {
  if (CSS.supports('position-area: block-end')) return
  const button = menu.previousElementSibling!.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = menu
  const { clientWidth, clientHeight } = document.documentElement
  const left = Math.max(0, Math.min(button.right, clientWidth) - offsetWidth)
  const isBelow = button.bottom + offsetHeight <= clientHeight
  const top = Math.max(0, isBelow ? button.bottom : button.top - offsetHeight)
  Object.assign(menu.style, { inset: 'auto', left: `${left}px`, top: `${top}px` })
}

const itemsIn = (menu: HTMLElement | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
]

function openByArrow(event: KeyboardEvent<HTMLButtonElement>): void {
  if (event.key !== 'ArrowDown') return
  event.preventDefault()
  event.currentTarget.click()
}

/** Arrow keys, Home, and End move the focus, and a letter moves it to the next item that begins with it. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget, target } = event
  // Shortcuts of the page and keys of the table don't apply in the menu.
  event.stopPropagation()
  const items = itemsIn(currentTarget)
  const at = items.findIndex((item) => item === document.activeElement)
  const later = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  const next =
    { ArrowDown: later[0], ArrowUp: items.at(at < 1 ? -1 : at - 1), Home: items[0], End: items.at(-1) }[
      key
    ] ?? later.find(({ textContent }) => textContent.toLowerCase().startsWith(key.toLowerCase()))
  if (next) next.focus()
  else if (key === ' ' && target instanceof HTMLElement) target.click()
  else return
  event.preventDefault()
}
