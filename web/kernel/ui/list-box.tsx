import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import styles from './list-box.module.css'

type Options<Option> = {
  /** In display order. Without any, there is no list box. */
  options: readonly Option[]
  onChoose: (option: Option) => void
  /** What else the keys of the field do. They receive the selected option. */
  keys?: Readonly<Record<string, (option: Option | undefined) => void>>
}

/**
 * The options of a field, as a combobox with a list box (ARIA APG): the focus stays in the field, the arrow keys move the
 * selection in the list, and Enter chooses.
 */
export function useListBox<Option>({ options, onChoose, keys }: Options<Option>) {
  const id = useId()
  const [marked, mark] = useState(0)
  const at = Math.min(marked, options.length - 1)
  const isOpen = options.length > 0
  useEffect(() => {
    // Newer browsers return a promise, which React would treat as a cleanup function.
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  const step = (by: 1 | -1) => mark((at + by + options.length) % options.length)
  const onKeyDown = (event: KeyboardEvent) => {
    const actions: Options<Option>['keys'] = {
      ...(isOpen && {
        ArrowDown: () => step(1),
        ArrowUp: () => step(-1),
        Enter: () => onChoose(options[at]!),
      }),
      ...keys,
    }
    const action = actions[event.key]
    // An input method uses the same keys to choose characters.
    if (!action || event.nativeEvent.isComposing) return
    event.preventDefault()
    action(options[at])
  }
  return {
    isOpen,
    mark,
    box: { id, options, at, mark, onChoose },
    field: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? `${id}-${at}` : undefined,
      onKeyDown,
    },
  }
}

type Props<Option> = {
  of: ReturnType<typeof useListBox<Option>>['box']
  label: string
  className: string | undefined
  keyOf: (option: Option) => string
  /** Heading of the option's group. */
  groupOf?: (option: Option) => string | undefined
  children: (option: Option) => ReactNode
}

/** The list box itself. */
export function ListBox<Option>({ of, label, className, keyOf, groupOf, children }: Props<Option>) {
  const { id, options, at, mark, onChoose } = of
  const groups = Map.groupBy(options.entries(), ([, option]) => groupOf?.(option) ?? '')
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the field keeps the focus and handles the keys
    <div
      id={id}
      className={className}
      role="listbox"
      aria-label={label}
      // The field would lose the focus, and the list would close before the click.
      onMouseDown={(event) => event.preventDefault()}
    >
      {[...groups].map(([group, grouped]) => (
        <div key={group} role="group" aria-label={group || undefined}>
          {group && (
            <p className={styles.group} aria-hidden="true">
              {group}
            </p>
          )}
          {grouped.map(([index, option]) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and handles the keys
            <div
              key={keyOf(option)}
              id={`${id}-${index}`}
              className={styles.option}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onPointerMove={() => mark(index)}
              onClick={() => onChoose(option)}
            >
              {children(option)}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
