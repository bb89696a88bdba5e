import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import { findContent } from '#contract/publishing/content-shapes.ts'
import { isEmailItem } from '#contract/publishing/content-emails.ts'
import { statutoryTexts } from '#contract/publishing/white-paper.ts'
import { isAlwaysComplete, languages, type Language } from '#contract/platform/languages.ts'
import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Checkbox, TextField } from '../../../kernel/ui/field.tsx'
import { messagesByPlace } from '../item-address.ts'
import { savedText, type Draft } from '../use-draft.ts'
import { useShownPlace } from '../show-place.ts'
import { TextRow, type RowTexts } from './text-row.tsx'
import styles from './words.module.css'

type Texts = Readonly<Record<Language, Readonly<Record<string, string>> | undefined>>

type Filter = { search: string; isMissing: boolean; isChanged: boolean }

/** Every text of a message file with all languages side by side, the text in the file, and problems. */
export function MessagesEditor({
  draft,
  problems,
  mayWrite,
  at,
}: {
  draft: Draft
  problems: readonly ContentProblem[]
  mayWrite: boolean
  /** The place to scroll to. */
  at: string | null
}) {
  const { t } = useMessages()
  const [filter, setFilter] = useState<Filter>({ search: '', isMissing: false, isChanged: false })
  const wanted = useDeferredValue(filter.search).trim().toLowerCase()
  // A row that matched the filter stays visible while it is edited.
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  useShownPlace(at)
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })
  const set = useCallback((place: string, text: string) => {
    const key = place.slice(place.indexOf('.') + 1)
    setKept((before) => (before.has(key) ? before : new Set([...before, key])))
    latest.current.set(place, text)
  }, [])
  const rows = useRows(draft, problems)
  const visibleRows = rows.filter(
    ({ key, texts }) => kept.has(key) || fits(key, texts, { ...filter, search: wanted }),
  )
  return (
    <section className={styles.editor} aria-label={t('consoleContent.words')}>
      <FilterTools
        filter={filter}
        onFilter={(next) => {
          setFilter(next)
          setKept(new Set())
        }}
      />
      <p className={styles.count} role="status">
        {t('consoleContent.words.shown', { count: visibleRows.length, max: rows.length })}
      </p>
      <ul className={styles.rows}>
        {visibleRows.map(({ key, texts }) => (
          <TextRow
            key={key}
            name={key}
            texts={texts}
            mayWrite={mayWrite}
            isStatutory={statutoryTexts.includes(key)}
            isWanted={at?.slice(at.indexOf('.') + 1) === key}
            onText={set}
          />
        ))}
      </ul>
    </section>
  )
}

function useRows(draft: Draft, problems: readonly ContentProblem[]): { key: string; texts: RowTexts }[] {
  const { language: readers } = useMessages()
  const { piece } = draft
  const [file, published] = [piece.file as Texts, piece.published as Texts]
  // Emails in additional languages can only be edited in their file.
  const edited = isEmailItem(piece.piece) ? languages.filter(isAlwaysComplete) : languages
  const messageAt = messagesByPlace(problems, piece.piece, readers)
  const keys = [...new Set(edited.flatMap((language) => Object.keys(file[language] ?? {})))]
  const textsOf = (key: string): RowTexts =>
    edited.map((language) => {
      const place = `${language}.${key}`
      return {
        language,
        text: draft.textAt(place),
        saved: savedText(piece, place),
        file: file[language]?.[key] ?? '',
        published: published[language]?.[key] ?? '',
        problem: messageAt.get(place),
      }
    })
  return keys.map((key) => ({ key, texts: textsOf(key) }))
}

function fits(key: string, texts: RowTexts, { search, isMissing, isChanged }: Filter): boolean {
  if (isMissing && texts.every(({ text }) => text.trim() !== '')) return false
  if (isChanged && texts.every(({ text, file }) => text === file)) return false
  return [key, ...texts.map(({ text }) => text)].some((each) => each.toLowerCase().includes(search))
}

function FilterTools({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const { t } = useMessages()
  return (
    <div className={styles.tools} role="search">
      <TextField
        type="search"
        label={t('consoleContent.words.search')}
        value={filter.search}
        maxLength={boundsOf(findContent.query.shape.q).maxLength}
        autoComplete="off"
        onChange={({ target }) => onFilter({ ...filter, search: target.value })}
      />
      <Checkbox
        label={t('consoleContent.words.onlyMissing')}
        checked={filter.isMissing}
        onChange={({ target }) => onFilter({ ...filter, isMissing: target.checked })}
      />
      <Checkbox
        label={t('consoleContent.words.onlyChanged')}
        checked={filter.isChanged}
        onChange={({ target }) => onFilter({ ...filter, isChanged: target.checked })}
      />
    </div>
  )
}
