import { useState } from 'react'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { TextField } from '../../kernel/ui/field.tsx'
import { ListBox, useListBox } from '../../kernel/ui/list-box.tsx'
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

/** A choice among many options, which are found by typing. */
export function FindChoice({ label, placeholder, options, value, onChange }: Props) {
  const { t } = useMessages()
  // Undefined while the list is closed.
  const [typed, setTyped] = useState<string>()
  const isOpen = typed !== undefined
  const chosen = options.find((option) => option.value === value)?.text ?? ''
  const found = isOpen ? find([{ value: '', text: t('console.list.any') }, ...options], typed) : []
  const type = (words: string | undefined) => {
    setTyped(words)
    mark(0)
  }
  const open = () => type('')
  const { box, field, mark } = useListBox({
    options: found,
    onChoose: (option) => {
      type(undefined)
      if (option.value !== value) onChange(option.value)
    },
    keys: isOpen
      ? // Without an option, Enter must not submit the form.
        { Escape: () => type(undefined), ...(found.length === 0 && { Enter: () => {} }) }
      : { ArrowDown: open, ArrowUp: open },
  })
  return (
    <div className={styles.choice}>
      <TextField
        {...field}
        label={label}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={box.id}
        placeholder={chosen || placeholder}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? chosen}
        onClick={() => isOpen || open()}
        onChange={({ target }) => type(target.value)}
        onBlur={() => type(undefined)}
      />
      {found.length > 0 && (
        <ListBox
          of={box}
          label={label}
          className={styles.list}
          keyOf={(option) => option.value}
          groupOf={({ group }) => group}
        >
          {({ text }) => text}
        </ListBox>
      )}
      <p className={styles.none} role="status">
        {isOpen && found.length === 0 && t('console.palette.nothing')}
      </p>
    </div>
  )
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
