import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { ContentShape } from '#contract/content-shapes.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { Hidden } from '../../../layout/hidden.tsx'
import { TextButton } from '../../../ui/button.tsx'
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
  const { t, language: spoken } = useMessages()
  const { problemAt, mayWrite } = useForm()
  const id = useId()
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  const [keys, setKeys] = useState<readonly number[]>(() => entries.map(nextKey))
  const [opened, setOpened] = useState<number>()
  const [said, setSaid] = useState('')
  const focusTarget = useRef<FocusTarget>(undefined)
  const list = useRef<HTMLDivElement>(null)
  // If the list was changed from outside, for example by a colleague's save, entries are identified by position again.
  const { length } = entries
  const known = keys.length === length ? keys : Array.from({ length }, (_, at) => keys[at] ?? -1 - at)
  useEffect(() => {
    if (keys.length !== length) setKeys(Array.from({ length }, (_, at) => keys[at] ?? nextKey()))
  }, [keys, length])
  useEffect(() => {
    const wanted = focusTarget.current
    focusTarget.current = undefined
    if (!wanted) return
    const root = list.current
    const own = root?.querySelector(`:scope > ol > [data-key="${wanted.key}"]`)
    const button = own?.querySelector<HTMLButtonElement>(`:scope > .${styles.moves} [data-to="${wanted.to}"]`)
    const target =
      wanted.to === 'add'
        ? root?.querySelector<HTMLElement>(`:scope > p > button`)
        : wanted.to === 'entry'
          ? own?.querySelector<HTMLElement>('input, textarea, select')
          : button?.disabled
            ? own?.querySelector<HTMLElement>(`[data-to="${wanted.to === 'up' ? 'down' : 'up'}"]`)
            : button
    target?.focus()
  })

  const change = (next: readonly unknown[], nextKeys: readonly number[], goes: FocusTarget) => {
    focusTarget.current = goes
    setKeys(nextKeys)
    onValue(next)
  }
  const nameAt = (at: number) =>
    (isObject ? entryName(entries[at], spoken) : '') || t('consoleContent.entry', { n: at + 1 })
  const move = (at: number, by: 1 | -1) => {
    const other = at + by
    const swap = <Item,>(items: readonly Item[]) => items.with(at, items[other]!).with(other, items[at]!)
    setSaid(t('consoleContent.moved', { name: nameAt(at), n: other + 1, max: entries.length }))
    change(swap(entries), swap(known), { key: known[at]!, to: by < 0 ? 'up' : 'down' })
  }
  const remove = (at: number) => {
    setSaid(t('consoleContent.removed', { name: nameAt(at) }))
    change(entries.toSpliced(at, 1), known.toSpliced(at, 1), { key: 0, to: 'add' })
  }
  const add = () => {
    const key = nextKey()
    setOpened(key)
    change([...entries, newEntry(shape.item, entries)], [...known, key], { key, to: 'entry' })
  }
  const isObject = shape.item.kind === 'object'
  const heading = (
    <>
      {fieldWord(t, name)}
      {language && <span className={styles.language}> {languageWord(t, language)}</span>}
    </>
  )
  return (
    <div ref={list} className={styles.list} role="group" aria-labelledby={id} data-place={place}>
      {name === '' ? (
        <Hidden>
          <span id={id}>{t('consoleContent.entries')}</span>
        </Hidden>
      ) : (
        <p className={styles.heading} id={id}>
          {heading}
        </p>
      )}
      <p className={styles.problem} aria-live="polite">
        {problemAt(place)}
      </p>
      <ol>
        {entries.map((entry, at) => {
          const key = known[at]!
          const own = under(
            place,
            isRecord(entry) && typeof entry['id'] === 'string' ? entry['id'] : String(at),
          )
          const set = (next: unknown) => onValue(entries.with(at, next))
          return (
            <li key={key} data-key={key} className={isObject ? styles.entry : styles.line}>
              {isObject ? (
                <details open={key === opened || undefined}>
                  <summary data-place={own}>
                    <span className={styles.name}>{nameAt(at)}</span>
                    <ProblemCount place={own} />
                  </summary>
                  {draw({ shape: shape.item, name: '', place: own, value: entry, onValue: set })}
                </details>
              ) : (
                draw({
                  shape: shape.item,
                  name: t('consoleContent.entry', { n: at + 1 }),
                  language,
                  place: own,
                  value: entry,
                  onValue: set,
                })
              )}
              {mayWrite && (
                <div className={styles.moves}>
                  <MoveButton to="up" name={nameAt(at)} disabled={at === 0} onMove={() => move(at, -1)} />
                  <MoveButton
                    to="down"
                    name={nameAt(at)}
                    disabled={at === entries.length - 1}
                    onMove={() => move(at, 1)}
                  />
                  <TextButton
                    aria-label={t('consoleContent.removeNamed', { name: nameAt(at) })}
                    onClick={() => remove(at)}
                  >
                    {t('consoleContent.remove')}
                  </TextButton>
                </div>
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
