import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { listNewsroomPosts } from '#contract/newsroom.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Hidden } from '../../layout/hidden.tsx'
import { navigate } from '../../navigation/navigate.ts'
import styles from './command-palette.module.css'
import type { Hit } from './sources.ts'
import { useHits } from './use-hits.ts'

/**
 * A combobox with a list box (ARIA APG): the focus stays in the field, and the arrow keys move the selection in the
 * list.
 */
export default function Search({ onLeave }: { onLeave: () => void }) {
  const { t } = useMessages()
  const id = useId()
  const [words, setWords] = useState('')
  const [marked, setMarked] = useState(0)
  const { groups, isSearching, error } = useHits(words)
  const hits = groups.flatMap((group) => group.hits)
  const at = Math.min(marked, hits.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  const go = (hit: Hit | undefined) => {
    if (!hit) return
    onLeave()
    void navigate(hit.path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method uses the same keys to choose characters.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const by = event.key === 'ArrowDown' ? 1 : -1
      if (hits.length > 0) setMarked((at + by + hits.length) % hits.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(hits[at])
    }
  }
  useEffect(() => {
    // Newer browsers return a promise, which React would treat as a cleanup function.
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  return (
    <div className={styles.inner}>
      <input
        // The dialog was opened to type into the field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        // In a search field, the first Escape would only clear the field.
        type="text"
        enterKeyHint="go"
        className={styles.field}
        role="combobox"
        aria-label={t('console.palette.label')}
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={hits.length > 0 ? optionId(at) : undefined}
        placeholder={t('console.palette.placeholder')}
        maxLength={boundsOf(listNewsroomPosts.query.shape.q).maxLength}
        autoComplete="off"
        spellCheck={false}
        value={words}
        onChange={({ target }) => {
          setWords(target.value)
          setMarked(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} className={styles.list} role="listbox" aria-label={t('console.palette.found')}>
        {groups.map(({ heading, hits: ofGroup }) => (
          <div key={heading} role="group" aria-label={heading}>
            <p className={styles.heading} aria-hidden="true">
              {heading}
            </p>
            {ofGroup.map((hit) => {
              const own = hits.indexOf(hit)
              return (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and handles the keys
                <div
                  key={hit.key}
                  id={optionId(own)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={own === at}
                  className={styles.hit}
                  onPointerMove={() => setMarked(own)}
                  onClick={() => go(hit)}
                >
                  <span>{hit.title}</span>
                  {hit.detail && <span className={styles.detail}>{hit.detail}</span>}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <p className={styles.state} role="status">
        {error ??
          (isSearching ? (
            t('console.palette.searching')
          ) : hits.length === 0 ? (
            t('console.palette.nothing')
          ) : (
            <Hidden>{t('console.palette.count', { count: hits.length })}</Hidden>
          ))}
      </p>
    </div>
  )
}
