import { Fragment, useMemo, useState, type ReactNode } from 'react'
import type { Language } from '#contract/fields.ts'
import { languageName } from '../../i18n/language.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import { Hidden } from '../../layout/hidden.tsx'
import { TextButton } from '../../ui/button.tsx'
import { categoryWords } from '../category-words.ts'
import styles from './comparison.module.css'
import { comparePosts, compareWords, type Line, type Side, type Words } from './differences.ts'

export type ComparedText = { title: string; category: string; language: string; content: string }
/** `short` labels each of its texts when the two are not shown side by side. */
export type Compared = { name: ReactNode; short?: ReactNode; text: ComparedText }

/** Unchanged lines shown around a changed one. */
const around = 1

/** Two versions: equal parts are shown once, differing ones side by side with the changed words marked. */
export function Comparison({ before, after }: { before: Compared; after: Compared }) {
  const { t } = useWords()
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

function Pair({ line, before, after }: { line: Line; before: Compared; after: Compared }) {
  const { t } = useWords()
  if (line.same)
    return (
      <div className={styles.same} data-kind={line.kind}>
        {kindWords[line.kind] && <span className={styles.kind}>{t(kindWords[line.kind]!)}</span>}
        {line.text}
      </div>
    )
  return (
    <div className={styles.pair}>
      <Cell side={line.before} name={before.short ?? before.name} mark="del" />
      <Cell side={line.after} name={after.short ?? after.name} mark="ins" />
      {line.isLookOnly && <p className={styles.note}>{t('newsroom.compare.lookOnly')}</p>}
    </div>
  )
}

function Cell({ side, name, mark }: { side: Side | null; name: ReactNode; mark: 'ins' | 'del' }) {
  const { t } = useWords()
  return (
    <div className={styles.cell} data-mark={mark} data-kind={side?.kind} data-empty={!side || undefined}>
      <span className={styles.name}>{name}</span>
      {side && kindWords[side.kind] && <span className={styles.kind}>{t(kindWords[side.kind]!)}</span>}
      {side ? (
        <p>
          {side.words.map((words, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text, in their order
            <Marked key={index} words={words} mark={mark} />
          ))}
        </p>
      ) : (
        <p className={styles.nothing}>{t('newsroom.compare.nothing')}</p>
      )}
    </div>
  )
}

/** Marked by element, by style, and in words for screen readers. */
function Marked({ words, mark }: { words: Words; mark: 'ins' | 'del' }) {
  const { t } = useWords()
  if (!words.isOwn) return words.text
  const Mark = mark
  return (
    <Mark>
      <Hidden>{t(mark === 'ins' ? 'newsroom.compare.added' : 'newsroom.compare.removed')} </Hidden>
      {words.text}
      <Hidden> {t('newsroom.compare.end')}</Hidden>
    </Mark>
  )
}

const kindWords: Readonly<Partial<Record<Side['kind'], PlainKey>>> = {
  picture: 'newsroom.compare.picture',
  video: 'newsroom.compare.video',
}

type Run = { isFar: boolean; from: number; lines: Line[] }

/** Adjacent lines shown together; unchanged ones far from a change may be omitted. */
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
  // A line saying that one line is omitted would take just as much room.
  return runs.map((run) => (run.lines.length > 1 ? run : { ...run, isFar: false }))
}

type FieldLine = Line & { label: string }

/** The fields besides the content that differ. */
function fieldsOf(
  t: ReturnType<typeof useWords>['t'],
  before: ComparedText,
  after: ComparedText,
): FieldLine[] {
  const category = (name: string) => {
    const words = categoryWords(name)
    return words ? t(words) : name
  }
  const language = (code: string) => languageName[code as Language] ?? code
  const fields = [
    [t('news.form.title'), before.title, after.title],
    [t('news.form.category'), category(before.category), category(after.category)],
    [t('news.form.language'), language(before.language), language(after.language)],
  ] as const
  return fields
    .filter(([, one, other]) => one !== other)
    .map(([label, one, other]) => {
      const shared = compareWords(one, other)
      const whole = (text: string): Side | null =>
        text ? { kind: 'text', words: [{ text, isOwn: true }] } : null
      return {
        label,
        same: false,
        isLookOnly: false,
        before: shared ? { kind: 'text', words: shared.before } : whole(one),
        after: shared ? { kind: 'text', words: shared.after } : whole(other),
      }
    })
}
