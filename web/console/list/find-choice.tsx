import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { TextField } from '../../kernel/ui/field.tsx'
import styles from './find-choice.module.css'

/** `text` and `group` are shown, and all three are searched. */
type Option = { value: string; text: string; group?: string }

type Props = {
  label: string
  placeholder: string
  options: readonly Option[]
  value: string
  onChange: (value: string) => void
}

/**
 * A choice among many options, which are found by typing. A combobox with a list box (ARIA APG): the focus stays in the
 * field, and the arrow keys move the selection in the list.
 */
export function FindChoice({ label, placeholder, options, value, onChange }: Props) {
  const { t } = useMessages()
  const id = useId()
  // Undefined while the list is closed.
  const [typed, setTyped] = useState<string>()
  const [marked, setMarked] = useState(0)
  const isOpen = typed !== undefined
  const chosen = options.find((option) => option.value === value)?.text ?? ''
  const found = isOpen ? find([{ value: '', text: t('console.list.any') }, ...options], typed) : []
  const at = Math.min(marked, found.length - 1)
  const type = (words: string | undefined) => {
    setTyped(words)
    setMarked(0)
  }
  const choose = (option: Option | undefined) => {
    if (!option) return
    type(undefined)
    if (option.value !== value) onChange(option.value)
  }
  const step = (by: 1 | -1) => {
    if (!isOpen) type('')
    else if (found.length > 0) setMarked((at + by + found.length) % found.length)
  }
  useEffect(() => {
    // Newer browsers return a promise, which React would treat as a cleanup function.
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  return (
    <div className={styles.choice}>
      <TextField
        label={label}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        placeholder={chosen || placeholder}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? chosen}
        onClick={() => isOpen || type('')}
        onChange={({ target }) => type(target.value)}
        onBlur={() => type(undefined)}
        onKeyDown={(event) =>
          onKey(event, {
            ArrowDown: () => step(1),
            ArrowUp: () => step(-1),
            ...(isOpen && { Enter: () => choose(found[at]), Escape: () => type(undefined) }),
          })
        }
      />
      {found.length > 0 && (
        <OptionList id={id} label={label} found={found} at={at} onMark={setMarked} onChoose={choose} />
      )}
      <p className={styles.none} role="status">
        {isOpen && found.length === 0 && t('console.palette.nothing')}
      </p>
    </div>
  )
}

function onKey(event: KeyboardEvent, actions: Readonly<Record<string, () => void>>): void {
  const action = actions[event.key]
  // An input method uses the same keys to choose characters.
  if (!action || event.nativeEvent.isComposing) return
  event.preventDefault()
  action()
}

/** Options that contain every word, wherever it is. The option without a value is only offered before typing. */
function find(options: readonly Option[], typed: string): Option[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...options]
  return options.filter(({ value, text, group = '' }) => {
    const searched = `${text} ${value} ${group}`.toLowerCase()
    return value !== '' && words.every((word) => searched.includes(word))
  })
}

type ListProps = {
  id: string
  label: string
  found: readonly Option[]
  /** The index of the selected option. */
  at: number
  onMark: (index: number) => void
  onChoose: (option: Option) => void
}

function OptionList({ id, label, found, at, onMark, onChoose }: ListProps) {
  const groups = Map.groupBy(found.entries(), ([, { group = '' }]) => group)
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the field keeps the focus and handles the keys
    <div
      id={`${id}-list`}
      className={styles.list}
      role="listbox"
      aria-label={label}
      // The field would lose the focus, and the list would close before the click.
      onMouseDown={(event) => event.preventDefault()}
    >
      {[...groups].map(([group, options]) => (
        <div key={group} role="group" aria-label={group || undefined}>
          {group && (
            <p className={styles.group} aria-hidden="true">
              {group}
            </p>
          )}
          {options.map(([index, option]) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and handles the keys
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={styles.option}
              onPointerMove={() => onMark(index)}
              onClick={() => onChoose(option)}
            >
              {option.text}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
