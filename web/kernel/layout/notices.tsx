import { useEffect, useReducer, useRef } from 'react'
import { useMessages } from '../i18n/messages.tsx'
import { notices } from '../notices/notices.ts'
import { useStore } from '../state/create-store.ts'
import { deferComponents } from '../still/deferred-components.ts'
import type { ColorScheme } from './color-scheme.ts'
import styles from './notices.module.css'

export const noticeParts = deferComponents(() => import('./notice-card-parts.tsx'))

/**
 * The region of notices, present from the start so that screen readers announce new ones. Its cards load with the first
 * notice.
 */
export function Notices({ ground }: { ground: ColorScheme }) {
  const { t } = useMessages()
  const shown = useStore(notices)
  const region = useRef<HTMLElement>(null)
  const [tries, tried] = useReducer((times: number) => times + 1, 0)
  const isShown = shown.length > 0
  const Cards = noticeParts.now()?.NoticeCards
  const isWanted = isShown && !Cards
  useEffect(() => {
    if (isWanted) noticeParts.load().then(tried, tried)
  }, [isWanted])
  return (
    <section
      ref={region}
      className={styles.notices}
      data-place="bottom"
      aria-label={t('layout.notices.label')}
      aria-live="polite"
    >
      {Cards ? (
        <Cards shown={shown} ground={ground} region={region} />
      ) : (
        // If the cards cannot be loaded without a connection, the notices are shown without them.
        tries > 0 &&
        shown.map(({ id, text }) => (
          <div key={id} className={styles.notice} data-ground={ground}>
            <p>{text}</p>
          </div>
        ))
      )}
    </section>
  )
}
