import { useEffect, useId, useState } from 'react'
import { useBrand } from '../../content/brand.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { Still } from '../../still/still.tsx'
import { Hidden } from '../hidden.tsx'
import { frameParts } from '../served/deferred-frame-parts.ts'
import styles from './social-bar.module.css'

/** Until the pointer or the handle is used, the style sheet decides based on the screen width. */
type State = 'atStart' | 'open' | 'closed'

export function SocialBar() {
  const { t } = useMessages()
  const { social } = useBrand()
  const listId = useId()
  const [state, setState] = useState<State>('atStart')
  const [isOpen, setOpen] = useState(true)

  useEffect(() => {
    setOpen(isOpenAtStart(innerWidth))
    const follow = (event: PointerEvent) => {
      // Touch has no hover position, so the handle is used instead.
      if (event.pointerType === 'touch') return
      const isNear = isNearEdge(event.clientX, innerWidth)
      setState(isNear ? 'open' : 'closed')
      setOpen(isNear)
    }
    addEventListener('pointermove', follow, { passive: true })
    return () => removeEventListener('pointermove', follow)
  }, [])

  const toggle = () => {
    setState(isOpen ? 'closed' : 'open')
    setOpen(!isOpen)
  }

  if (Object.keys(social).length === 0) return null
  return (
    <aside className={styles.bar} data-ground="dark" data-state={state} aria-label={t('layout.social.label')}>
      <button
        type="button"
        className={styles.handle}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={toggle}
      >
        <Hidden>{isOpen ? t('layout.social.close') : t('layout.social.open')}</Hidden>
        <svg width="8" height="14" viewBox="0 0 8 14" aria-hidden="true">
          <path d="M6 2 2 7l4 5" fill="none" stroke="currentColor" strokeWidth="1.4" />
        </svg>
      </button>
      <Still as="ul" id={listId} className="" of={frameParts} part="NetworkLinks" given={{}} />
    </aside>
  )
}

/** Maximum width in pixels of screens that start with the bar closed. */
const narrowWidthMax = 650
/** Distance from the right edge (pixels) at which the pointer opens the bar. */
const revealDistanceMax = 100

export const isOpenAtStart = (screenWidth: number): boolean => screenWidth > narrowWidthMax

export const isNearEdge = (pointerX: number, screenWidth: number): boolean =>
  screenWidth - pointerX <= revealDistanceMax
