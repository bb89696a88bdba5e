import type { FormEvent, ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './search-row.module.css'

/**
 * A search field with its button. It is a form that submits to a page, by default the current one, so it works without
 * JavaScript.
 */
export function SearchRow({
  label,
  submitLabel,
  q = '',
  lengthMax,
  action = '?',
  onSearch,
  children,
}: {
  label: string
  submitLabel: string
  /** The current search. */
  q?: string
  lengthMax: number | undefined
  /** The address of the page that shows the results. */
  action?: string
  onSearch: (q: string) => void
  /** Further query parameters to keep. */
  children?: ReactNode
}) {
  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget).get('q')
    onSearch(typeof given === 'string' ? given.trim() : '')
  }
  return (
    <form className={styles.search} role="search" method="get" action={action} onSubmit={search}>
      {children}
      <input
        key={q}
        type="search"
        name="q"
        dir="auto"
        aria-label={label}
        placeholder={label}
        defaultValue={q}
        maxLength={lengthMax}
      />
      <Button type="submit" kind="quiet">
        {submitLabel}
      </Button>
    </form>
  )
}
