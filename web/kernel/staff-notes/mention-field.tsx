import { useEffect, useRef, useState } from 'react'
import type { ZodMiniType } from 'zod/mini'
import type { Colleague } from '#contract/people/assignment.ts'
import { boundsOf } from '../forms/field-bounds.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Hidden } from '../layout/hidden.tsx'
import { TextArea } from '../ui/field.tsx'
import { ListBox, useListBox } from '../ui/list-box.tsx'
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
 * A text in which `@` offers colleagues. Enter or Tab inserts the selected one, and Escape closes the list.
 */
export function MentionField({ label, help, error, schema, ...mentioning }: Props) {
  const { t } = useMessages()
  const { ref, found, move, box, field } = useMention(mentioning)
  return (
    <>
      <TextArea
        {...field}
        label={label}
        help={help}
        error={error}
        rows={3}
        maxLength={boundsOf(schema).maxLength}
        ref={ref}
        value={mentioning.value}
        onChange={({ target }) => {
          move(target.selectionStart)
          mentioning.onText(target.value)
        }}
        onBlur={() => move(undefined)}
      />
      {found.length > 0 && (
        <ListBox
          of={box}
          label={t('console.notes.mention')}
          className={styles.colleagues}
          keyOf={(colleague) => colleague.id}
        >
          {({ name }) => name}
        </ListBox>
      )}
      <p className={styles.count} role="status">
        {found.length > 0 && <Hidden>{t('console.notes.mention.found', { count: found.length })}</Hidden>}
      </p>
    </>
  )
}

/** The mention that is being typed, and the colleagues that it can become. */
function useMention({ value, colleagues, onText }: Pick<Props, 'value' | 'colleagues' | 'onText'>) {
  const ref = useRef<HTMLTextAreaElement>(null)
  // Undefined while the list is closed.
  const [caret, setCaret] = useState<number>()
  const nextCaret = useRef<number>(undefined)
  const begun = caret === undefined ? undefined : mentionAt(value, caret)
  const found = begun
    ? named(colleagues)
        .filter(({ name }) => startsWord(name, begun.typed) && `${name} ` !== begun.typed)
        .slice(0, shownMax)
    : []
  useEffect(() => {
    if (nextCaret.current !== undefined) ref.current?.setSelectionRange(nextCaret.current, nextCaret.current)
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
  const { box, field, mark } = useListBox({
    options: found,
    onChoose: choose,
    ...(found.length > 0 && {
      keys: { Tab: (selected: Named | undefined) => choose(selected!), Escape: () => move(undefined) },
    }),
  })
  return { ref, found, move, box, field }
}
