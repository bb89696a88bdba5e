import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import type { ContentProblem } from '#contract/content-rules.ts'
import { findContent } from '#contract/content-shapes.ts'
import { isMailPiece } from '#contract/content-mails.ts'
import { statutoryTexts } from '#contract/statutory-texts.ts'
import { isAlwaysComplete, languages, type Language } from '#contract/languages.ts'
import { boundsOf } from '../../../forms/field-bounds.ts'
import { useWords } from '../../../i18n/words.tsx'
import { Checkbox, TextField } from '../../../ui/field.tsx'
import { placeOf, wordsOfProblem } from '../piece-address.ts'
import { savedText, type Draft } from '../use-draft.ts'
import { useShownPlace } from '../use-shown-place.ts'
import { TextRow, type RowTexts } from './text-row.tsx'
import styles from './words.module.css'

type Texts = Readonly<Record<Language, Readonly<Record<string, string>> | undefined>>

/** Every text of a file in all languages side by side, with what the file says and what is wrong with it. */
export function WordsEditor({
  draft,
  problems,
  mayWrite,
  at,
}: {
  draft: Draft
  problems: readonly ContentProblem[]
  mayWrite: boolean
  /** The place that is looked for. */
  at: string | null
}) {
  const { t, language } = useWords()
  const { piece } = draft
  const [search, setSearch] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const wanted = useDeferredValue(search).trim().toLowerCase()
  // What is looked for first stays in sight while it is typed in.
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
  const [file, published] = [piece.file as Texts, piece.published as Texts]
  // Mails of a further language are changed in its file, each as a whole.
  const spoken = isMailPiece(piece.piece) ? languages.filter(isAlwaysComplete) : languages
  const keys = [...new Set(spoken.flatMap((each) => Object.keys(file[each] ?? {})))]
  const wordsAt = new Map<string, string>()
  for (const problem of problems) {
    const { piece: of, place } = placeOf(problem)
    const words = wordsOfProblem(problem, language)
    if (of === piece.piece)
      wordsAt.set(place, wordsAt.has(place) ? `${wordsAt.get(place)} · ${words}` : words)
  }
  const rows = keys.map((key) => ({ key, texts: textsOf(key) }))
  const shown = rows.filter(
    ({ key, texts }) =>
      kept.has(key) ||
      (fits(key, texts) &&
        (!isMissing || texts.some(({ text }) => text.trim() === '')) &&
        (!isChanged || texts.some(({ text, file: was }) => text !== was))),
  )
  return (
    <section className={styles.editor} aria-label={t('consoleContent.words')}>
      <div className={styles.tools} role="search">
        <TextField
          type="search"
          label={t('consoleContent.words.search')}
          value={search}
          maxLength={boundsOf(findContent.query.shape.q).maxLength}
          autoComplete="off"
          onChange={({ target }) => {
            setSearch(target.value)
            setKept(new Set())
          }}
        />
        <Checkbox
          label={t('consoleContent.words.onlyMissing')}
          checked={isMissing}
          onChange={({ target }) => {
            setMissing(target.checked)
            setKept(new Set())
          }}
        />
        <Checkbox
          label={t('consoleContent.words.onlyChanged')}
          checked={isChanged}
          onChange={({ target }) => {
            setChanged(target.checked)
            setKept(new Set())
          }}
        />
      </div>
      <p className={styles.count} role="status">
        {t('consoleContent.words.shown', { count: shown.length, max: keys.length })}
      </p>
      <ul className={styles.rows}>
        {shown.map(({ key, texts }) => (
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

  function textsOf(key: string): RowTexts {
    return spoken.map((each) => {
      const place = `${each}.${key}`
      return {
        language: each,
        text: draft.textAt(place),
        saved: savedText(piece, place),
        file: file[each]?.[key] ?? '',
        published: published[each]?.[key] ?? '',
        problem: wordsAt.get(place),
      }
    })
  }

  function fits(key: string, texts: RowTexts): boolean {
    if (wanted === '') return true
    return key.toLowerCase().includes(wanted) || texts.some(({ text }) => text.toLowerCase().includes(wanted))
  }
}
