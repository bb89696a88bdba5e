import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { ContentShape } from '#contract/publishing/content-shapes.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Hidden } from '../../../kernel/layout/hidden.tsx'
import { TextButton } from '../../../kernel/ui/button.tsx'
import { entryName, newEntry } from './blank-value.ts'
import { fieldWord, languageWord } from './field-labels.ts'
import styles from './facts.module.css'
import { under, useForm, type FieldProps } from './form-state.ts'
import { isRecord } from '../merge-values.ts'

type ListShape = Extract<ContentShape, { kind: 'list' }>
/** Where to move the focus after a button has moved or deleted its entry. */
type FocusTarget = { key: number; to: 'up' | 'down' | 'entry' | 'add' }

let made = 0
const nextKey = (): number => (made += 1)

/** Entries that can be added, moved, and deleted, each with a labeled button. */
export function ListField({
  shape,
  place,
  name,
  value,
  onValue,
  language,
  draw,
}: FieldProps<ListShape> & { draw: (entry: FieldProps) => ReactNode }) {
  const { t } = useMessages()
  const { problemAt, mayWrite } = useForm()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  const { keys, opened, said, nameAt, move, remove, add } = useEntries(shape.item, entries, onValue, list)
  const isObject = shape.item.kind === 'object'
  return (
    <div ref={list} className={styles.list} role="group" aria-labelledby={id} data-place={place}>
      <ListHeading id={id} name={name} language={language} />
      <p className={styles.problem} aria-live="polite">
        {problemAt(place)}
      </p>
      <ol>
        {entries.map((entry, at) => {
          const own = placeOfEntry(place, entry, at)
          const drawn = draw({
            shape: shape.item,
            name: isObject ? '' : t('consoleContent.entry', { n: at + 1 }),
            language: isObject ? undefined : language,
            place: own,
            value: entry,
            onValue: (next) => onValue(entries.with(at, next)),
          })
          return (
            <li key={keys[at]} data-key={keys[at]} className={isObject ? styles.entry : styles.line}>
              {isObject ? (
                <CollapsedEntry name={nameAt(at)} place={own} isOpened={keys[at] === opened}>
                  {drawn}
                </CollapsedEntry>
              ) : (
                drawn
              )}
              {mayWrite && (
                <EntryButtons
                  name={nameAt(at)}
                  isFirst={at === 0}
                  isLast={at === entries.length - 1}
                  onMove={(by) => move(at, by)}
                  onRemove={() => remove(at)}
                />
              )}
            </li>
          )
        })}
      </ol>
      {mayWrite && (
        <p>
          <TextButton onClick={add}>
            {t(isObject ? 'consoleContent.addEntry' : 'consoleContent.addLine')}
          </TextButton>
        </p>
      )}
      <p role="status">
        <Hidden>{said}</Hidden>
      </p>
    </div>
  )
}

function ListHeading({ id, name, language }: { id: string } & Pick<FieldProps, 'name' | 'language'>) {
  const { t } = useMessages()
  if (name === '')
    return (
      <Hidden>
        <span id={id}>{t('consoleContent.entries')}</span>
      </Hidden>
    )
  return (
    <p className={styles.heading} id={id}>
      {fieldWord(t, name)}
      {language && <span className={styles.language}> {languageWord(t, language)}</span>}
    </p>
  )
}

const placeOfEntry = (list: string, entry: unknown, at: number): string =>
  under(list, isRecord(entry) && typeof entry['id'] === 'string' ? entry['id'] : String(at))

/** The entries' keys, and their changes with the announcement and the focus that follow each. */
function useEntries(
  shape: ContentShape,
  entries: readonly unknown[],
  onValue: (value: unknown) => void,
  list: RefObject<HTMLElement | null>,
) {
  const { t, language: spoken } = useMessages()
  const [keys, setKeys] = useKeys(entries.length)
  const [opened, setOpened] = useState<number>()
  const [said, setSaid] = useState('')
  const focusAfterwards = useFocusAfterwards(list)

  const change = (next: readonly unknown[], nextKeys: readonly number[], target: FocusTarget) => {
    focusAfterwards(target)
    setKeys(nextKeys)
    onValue(next)
  }
  const nameAt = (at: number) =>
    (shape.kind === 'object' ? entryName(entries[at], spoken) : '') ||
    t('consoleContent.entry', { n: at + 1 })
  const move = (at: number, by: 1 | -1) => {
    const other = at + by
    const swap = <Item,>(items: readonly Item[]) => items.with(at, items[other]!).with(other, items[at]!)
    setSaid(t('consoleContent.moved', { name: nameAt(at), n: other + 1, max: entries.length }))
    change(swap(entries), swap(keys), { key: keys[at]!, to: by < 0 ? 'up' : 'down' })
  }
  const remove = (at: number) => {
    setSaid(t('consoleContent.removed', { name: nameAt(at) }))
    change(entries.toSpliced(at, 1), keys.toSpliced(at, 1), { key: 0, to: 'add' })
  }
  const add = () => {
    const key = nextKey()
    setOpened(key)
    change([...entries, newEntry(shape, entries)], [...keys, key], { key, to: 'entry' })
  }
  return { keys, opened, said, nameAt, move, remove, add }
}

/** A key per entry that stays the same while the entry is moved. */
function useKeys(length: number) {
  const [keys, setKeys] = useState<readonly number[]>(() => Array.from({ length }, nextKey))
  useEffect(() => {
    if (keys.length !== length) setKeys(Array.from({ length }, (_, at) => keys[at] ?? nextKey()))
  }, [keys, length])
  // If the list was changed from outside, for example by a colleague's save, entries are identified by position again.
  const known = keys.length === length ? keys : Array.from({ length }, (_, at) => keys[at] ?? -1 - at)
  return [known, setKeys] as const
}

/** Moves the focus once the list is rendered with the change. */
function useFocusAfterwards(list: RefObject<HTMLElement | null>) {
  const target = useRef<FocusTarget>(undefined)
  useEffect(() => {
    if (target.current) findFocusable(list.current, target.current)?.focus()
    target.current = undefined
  })
  return (next: FocusTarget) => {
    target.current = next
  }
}

function findFocusable(list: HTMLElement | null, { key, to }: FocusTarget) {
  if (to === 'add') return list?.querySelector<HTMLElement>(`:scope > p > button`)
  const entry = list?.querySelector(`:scope > ol > [data-key="${key}"]`)
  if (to === 'entry') return entry?.querySelector<HTMLElement>('input, textarea, select')
  const button = entry?.querySelector<HTMLButtonElement>(`:scope > .${styles.moves} [data-to="${to}"]`)
  // At the end of the list, the button for the other direction is the only one left.
  if (button?.disabled) return entry?.querySelector<HTMLElement>(`[data-to="${to === 'up' ? 'down' : 'up'}"]`)
  return button
}

/** An entry with several fields, collapsed to its name unless it was just added. */
function CollapsedEntry({
  name,
  place,
  isOpened,
  children,
}: {
  name: string
  place: string
  isOpened: boolean
  children: ReactNode
}) {
  return (
    <details open={isOpened || undefined}>
      <summary data-place={place}>
        <span className={styles.name}>{name}</span>
        <ProblemCount place={place} />
      </summary>
      {children}
    </details>
  )
}

function EntryButtons({
  name,
  isFirst,
  isLast,
  onMove,
  onRemove,
}: {
  name: string
  isFirst: boolean
  isLast: boolean
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}) {
  const { t } = useMessages()
  return (
    <div className={styles.moves}>
      <MoveButton to="up" name={name} disabled={isFirst} onMove={() => onMove(-1)} />
      <MoveButton to="down" name={name} disabled={isLast} onMove={() => onMove(1)} />
      <TextButton aria-label={t('consoleContent.removeNamed', { name })} onClick={onRemove}>
        {t('consoleContent.remove')}
      </TextButton>
    </div>
  )
}

function MoveButton({
  to,
  name,
  disabled,
  onMove,
}: {
  to: 'up' | 'down'
  name: string
  disabled: boolean
  onMove: () => void
}) {
  const { t } = useMessages()
  return (
    <button
      type="button"
      className={styles.move}
      data-to={to}
      disabled={disabled}
      aria-label={t(to === 'up' ? 'consoleContent.upNamed' : 'consoleContent.downNamed', { name })}
      onClick={onMove}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={to === 'up' ? 'M3 10l5-5 5 5' : 'M3 6l5 5 5-5'} />
      </svg>
    </button>
  )
}

/** The number of problems in a collapsed entry. */
function ProblemCount({ place }: { place: string }) {
  const { t } = useMessages()
  const { wrongWithin } = useForm()
  const count = wrongWithin(place)
  return count > 0 && <span className={styles.wrong}>{t('consoleContent.problems', { count })}</span>
}
