import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { ZodMiniType } from 'zod/mini'
import type { Colleague } from '#contract/people/assignment.ts'
import { boundsOf } from '../forms/field-bounds.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Hidden } from '../layout/hidden.tsx'
import { TextArea } from '../ui/field.tsx'
import styles from './staff-notes.module.css'

type Named = { id: string; name: string }

/** Mentions name colleagues as lists do. Erased accounts can't be mentioned. */
const named = (colleagues: readonly Colleague[]): Named[] =>
  colleagues.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }]))

/** The colleagues whom a text mentions as `@Name`. Of two names with the same beginning, the longer one counts. */
export function findMentions(text: string, colleagues: readonly Colleague[]): string[] {
  let rest = text
  const found: string[] = []
  for (const { name, people } of byName(colleagues)) {
    if (!rest.includes(`@${name}`)) continue
    rest = rest.replaceAll(`@${name}`, '')
    found.push(...people.map(({ id }) => id))
  }
  return found
}

const byName = (colleagues: readonly Colleague[]) =>
  [...Map.groupBy(named(colleagues), ({ name }) => name)]
    .map(([name, people]) => ({ name, people }))
    .toSorted((a, b) => b.name.length - a.name.length)

/** The beginning of a mention before the caret. An @ within a word belongs to an email address. */
function mentionAt(text: string, caret: number): { from: number; typed: string } | undefined {
  const [whole, typed] = /(?<![\w.])@([^@\n]{0,60})$/u.exec(text.slice(0, caret)) ?? []
  return whole === undefined ? undefined : { from: caret - whole.length, typed: typed! }
}

const shownMax = 8

const startsWord = (name: string, typed: string): boolean => {
  const [searched, begun] = [name.toLowerCase(), typed.toLowerCase()]
  return searched.startsWith(begun) || searched.includes(` ${begun}`)
}

type Props = {
  label: string
  help: string
  error: string | undefined
  /** Limits the text. */
  schema: ZodMiniType
  value: string
  colleagues: readonly Colleague[]
  onText: (text: string) => void
}

/**
 * A text in which `@` offers colleagues. The focus stays in the text: the arrow keys move the selection in the list, Enter
 * or Tab inserts it, and Escape closes the list.
 */
export function MentionField({ label, help, error, schema, ...mentioning }: Props) {
  const { t } = useMessages()
  const id = useId()
  const { field, found, at, mark, move, choose, onKeyDown } = useMention(mentioning)
  const isOpen = found.length > 0
  return (
    <>
      <TextArea
        label={label}
        help={help}
        error={error}
        rows={3}
        maxLength={boundsOf(schema).maxLength}
        ref={field}
        value={mentioning.value}
        aria-autocomplete="list"
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        onChange={({ target }) => {
          move(target.selectionStart)
          mentioning.onText(target.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => move(undefined)}
      />
      {isOpen && <Found id={id} found={found} at={at} onMark={mark} onChoose={choose} />}
      <p className={styles.count} role="status">
        {isOpen && <Hidden>{t('console.notes.mention.found', { count: found.length })}</Hidden>}
      </p>
    </>
  )
}

/** The mention that is being typed, and the colleagues that it can become. */
function useMention({ value, colleagues, onText }: Pick<Props, 'value' | 'colleagues' | 'onText'>) {
  const field = useRef<HTMLTextAreaElement>(null)
  // Undefined while the list is closed.
  const [caret, setCaret] = useState<number>()
  const [marked, mark] = useState(0)
  const nextCaret = useRef<number>(undefined)
  const begun = caret === undefined ? undefined : mentionAt(value, caret)
  const found = begun
    ? named(colleagues)
        .filter(({ name }) => startsWord(name, begun.typed) && `${name} ` !== begun.typed)
        .slice(0, shownMax)
    : []
  const at = Math.min(marked, found.length - 1)
  useEffect(() => {
    if (nextCaret.current !== undefined)
      field.current?.setSelectionRange(nextCaret.current, nextCaret.current)
    nextCaret.current = undefined
  })
  const move = (to: number | undefined) => {
    setCaret(to)
    mark(0)
  }
  const choose = ({ name }: Named) => {
    const head = `${value.slice(0, begun!.from)}@${name} `
    nextCaret.current = head.length
    move(undefined)
    onText(head + value.slice(caret).trimStart())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method uses the same keys to choose characters.
    if (found.length === 0 || event.nativeEvent.isComposing) return
    const step = (by: 1 | -1) => mark((at + by + found.length) % found.length)
    const actions: Record<string, () => void> = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Enter: () => choose(found[at]!),
      Tab: () => choose(found[at]!),
      Escape: () => move(undefined),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
  return { field, found, at, mark, move, choose, onKeyDown }
}

type FoundProps = {
  id: string
  found: readonly Named[]
  /** The index of the selected colleague. */
  at: number
  onMark: (index: number) => void
  onChoose: (colleague: Named) => void
}

function Found({ id, found, at, onMark, onChoose }: FoundProps) {
  const { t } = useMessages()
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the field keeps the focus and handles the keys
    <div
      id={`${id}-list`}
      className={styles.colleagues}
      role="listbox"
      aria-label={t('console.notes.mention')}
      // The field would lose the focus, and the list would close before the click.
      onMouseDown={(event) => event.preventDefault()}
    >
      {found.map((each, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and handles the keys
        <div
          key={each.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onPointerMove={() => onMark(index)}
          onClick={() => onChoose(each)}
        >
          {each.name}
        </div>
      ))}
    </div>
  )
}
