import { Fragment, useMemo, useState, type ReactNode } from 'react'
import type { Language } from '#contract/platform/fields.ts'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { languageName } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { TextButton } from '../../kernel/ui/button.tsx'
import { categoryLabel } from '../../kernel/news-choice/category-labels.ts'
import styles from './comparison.module.css'
import { comparePosts, lineOfTexts, type Line } from './differences.ts'
import { Pair } from './pair.tsx'

export type ComparedText = { title: string; category: string; language: string; content: string }
/** `short` labels each text of a version when the two are not shown side by side. */
export type Compared = { name: ReactNode; short?: ReactNode; text: ComparedText }

/** Unchanged lines shown around a changed one. */
const around = 1

/** Two versions. Equal parts are shown once, differing ones side by side with the changed words marked. */
export function Comparison({ before, after }: { before: Compared; after: Compared }) {
  const { t } = useMessages()
  const [isWhole, setIsWhole] = useState(false)
  const lines = useMemo(
    () => comparePosts(before.text.content, after.text.content),
    [before.text.content, after.text.content],
  )
  const fields = fieldsOf(t, before.text, after.text)
  const isSame = fields.length === 0 && lines.every(({ same }) => same)
  const runs = useMemo(() => runsOf(lines), [lines])
  const hasHidden = runs.some(({ isFar }) => isFar)
  return (
    <div className={styles.comparison}>
      <div className={styles.names} aria-hidden="true">
        <p>{before.name}</p>
        <p>{after.name}</p>
      </div>
      {isSame && <p className={styles.note}>{t('newsroom.compare.same')}</p>}
      {fields.map(({ label, ...line }) => (
        <Fragment key={label}>
          <p className={styles.field}>{label}</p>
          <Pair line={line} before={before} after={after} />
        </Fragment>
      ))}
      {lines.some(({ same }) => !same) && <p className={styles.field}>{t('news.form.content')}</p>}
      {runs.map(({ isFar, from, lines: run }) =>
        isFar && !isWhole ? (
          <p key={from} className={styles.note}>
            {t('newsroom.compare.unchanged', { count: run.length })}
          </p>
        ) : (
          run.map((line, index) => <Pair key={`${from + index}`} line={line} before={before} after={after} />)
        ),
      )}
      {hasHidden && (
        <p>
          <TextButton aria-pressed={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {t(isWhole ? 'newsroom.compare.onlyChanges' : 'newsroom.compare.whole')}
          </TextButton>
        </p>
      )}
    </div>
  )
}

type Run = { isFar: boolean; from: number; lines: Line[] }

/** Adjacent lines that are shown together. Unchanged lines far from a change can be omitted. */
function runsOf(lines: readonly Line[]): Run[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ same }) => !same),
  )
  const runs: Run[] = []
  for (const [index, line] of lines.entries()) {
    const isFar = !isNear[index]
    const last = runs.at(-1)
    if (last?.isFar === isFar) last.lines.push(line)
    else runs.push({ isFar, from: index, lines: [line] })
  }
  // A note that one line is omitted would take as much space as the line.
  return runs.map((run) => (run.lines.length > 1 ? run : { ...run, isFar: false }))
}

type FieldLine = Line & { label: string }

/** Returns the fields, other than the content, that differ. */
function fieldsOf(
  t: ReturnType<typeof useMessages>['t'],
  before: ComparedText,
  after: ComparedText,
): FieldLine[] {
  const category = (name: string) => {
    const words = categoryLabel(name)
    return words ? t(words) : name
  }
  const language = (code: string) => (code in languageName ? languageLabel(t, code as Language) : code)
  const fields = [
    [t('news.form.title'), before.title, after.title],
    [t('news.form.category'), category(before.category), category(after.category)],
    [t('news.form.language'), language(before.language), language(after.language)],
  ] as const
  return fields
    .filter(([, one, other]) => one !== other)
    .map(([label, one, other]) => ({ label, ...lineOfTexts(one, other) }))
}
