import { memo, useRef } from 'react'
import type { Language } from '#contract/platform/fields.ts'
import { htmlLanguage } from '../../../kernel/i18n/language.ts'
import { useMessages, type UsedMessages } from '../../../kernel/i18n/messages.tsx'
import { TextButton } from '../../../kernel/ui/button.tsx'
import { Field } from '../../../kernel/ui/field.tsx'
import fieldStyles from '../../../kernel/ui/field.module.css'
import { languageWord } from '../facts/field-labels.ts'
import styles from './words.module.css'

export type RowTexts = readonly RowText[]
type RowText = {
  language: Language
  text: string
  /** The last saved text. */
  saved: string
  file: string
  published: string
  problem: string | undefined
}

type RowProps = {
  name: string
  texts: RowTexts
  mayWrite: boolean
  /** The wording is prescribed by law, so a changed text can only be reset. */
  isStatutory: boolean
  isWanted: boolean
  onText: (place: string, text: string) => void
}

/** One text in every language. Memoized, because a page has many. */
export const TextRow = memo(
  function TextRow({ name, texts, mayWrite, isStatutory, isWanted, onText }: RowProps) {
    const { t } = useMessages()
    return (
      <li className={styles.row} data-wanted={isWanted || undefined}>
        <p className={styles.key} id={`key-${name}`}>
          {name}
        </p>
        {isStatutory && <p className={styles.fixed}>{t('consoleContent.words.statutory')}</p>}
        {texts.map((text) => (
          <OneText
            key={text.language}
            name={name}
            of={text}
            mayWrite={mayWrite}
            isStatutory={isStatutory}
            onText={onText}
          />
        ))}
      </li>
    )
  },
  (before, after) =>
    before.name === after.name &&
    before.mayWrite === after.mayWrite &&
    before.isWanted === after.isWanted &&
    JSON.stringify(before.texts) === JSON.stringify(after.texts),
)

/** Available everywhere, so texts can use them or not. */
const alwaysKnown = ['{brand}', '{ticker}']

/** Placeholders and tags of a text, in order. */
const marksIn = (text: string): string[] => text.match(/\{\w+\}|<\/?\w+>/g) ?? []

type MarkProblems = { lacking: string[]; extra: string[] }

/**
 * Placeholders and tags that are missing compared with the file, and unknown ones. Tags are counted; a placeholder can
 * repeat.
 */
export function compareMarks(original: string, text: string): MarkProblems {
  const fixed = marksIn(original).filter((mark) => !alwaysKnown.includes(mark))
  const textMarks = marksIn(text).filter((mark) => !alwaysKnown.includes(mark))
  return { lacking: beyond(fixed, textMarks), extra: beyond(textMarks, fixed) }
}

function beyond(marks: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  const found = marks.filter((mark) => {
    if (mark.startsWith('{')) return !others.includes(mark)
    const at = left.indexOf(mark)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return [...new Set(found)]
}

function OneText({
  name,
  of: { language, text, saved, file, published, problem },
  mayWrite,
  isStatutory,
  onText,
}: Pick<RowProps, 'name' | 'mayWrite' | 'isStatutory' | 'onText'> & { of: RowText }) {
  const { t } = useMessages()
  const area = useRef<HTMLTextAreaElement>(null)
  const place = `${language}.${name}`
  const { lacking, extra } = compareMarks(file, text)
  const marks = mayWrite ? [...new Set(marksIn(file))] : []
  const set = (next: string) => onText(place, next)
  const insert = (mark: string) => {
    const field = area.current
    const [from, to] = [field?.selectionStart ?? text.length, field?.selectionEnd ?? text.length]
    set(text.slice(0, from) + mark + text.slice(to))
    field?.focus()
  }
  const own = markProblem(t, lacking, extra)
  const help = (
    <>
      {marks.length > 0 && <Marks marks={marks} lacking={lacking} onInsert={insert} />}
      <FormerTexts text={text} file={file} published={published} onBack={mayWrite ? set : undefined} />
    </>
  )
  return (
    <div className={styles.text}>
      <Field
        label={
          <>
            <span className={styles.language}>{languageWord(t, language)}</span>
            <span className={styles.labelKey}> {name}</span>
          </>
        }
        // The server's problem applies to the saved text. Unsaved input is checked only here.
        error={own ?? (text === saved ? problem : undefined)}
        help={(text !== file || text !== published || marksIn(file).length > 0) && help}
      >
        {(wiring) => (
          <textarea
            {...wiring}
            ref={area}
            rows={1}
            data-place={place}
            lang={htmlLanguage[language]}
            className={`${fieldStyles.control} ${styles.area}`}
            value={text}
            readOnly={!mayWrite || isStatutory}
            // A text is a single paragraph, so pasted line breaks become spaces.
            onChange={({ target }) => set(target.value.replaceAll(/\s*\n\s*/g, ' '))}
          />
        )}
      </Field>
    </div>
  )
}

function markProblem(
  t: UsedMessages['t'],
  lacking: readonly string[],
  extra: readonly string[],
): string | undefined {
  if (lacking.length > 0) return t('consoleContent.words.lacking', { marks: lacking.join(' ') })
  return extra.length > 0 ? t('consoleContent.words.extra', { marks: extra.join(' ') }) : undefined
}

/** The placeholders and tags of a text, each with a button that inserts it. */
function Marks({
  marks,
  lacking,
  onInsert,
}: {
  marks: readonly string[]
  lacking: readonly string[]
  onInsert: (mark: string) => void
}) {
  const { t } = useMessages()
  return (
    <span className={styles.marks}>
      {t('consoleContent.words.keeps')}{' '}
      {marks.map((mark) => (
        <button
          key={mark}
          type="button"
          data-lacking={lacking.includes(mark) || undefined}
          aria-label={t('consoleContent.words.insert', { mark })}
          onClick={() => onInsert(mark)}
        >
          {mark}
        </button>
      ))}
    </span>
  )
}

/** The published text and the text in the file, if they differ, with buttons to restore them. */
function FormerTexts({
  text,
  file,
  published,
  onBack,
}: Pick<RowText, 'text' | 'file' | 'published'> & { onBack: ((text: string) => void) | undefined }) {
  const { t } = useMessages()
  return (
    <>
      {text !== published && (
        <Before
          label={t('consoleContent.words.published')}
          text={published}
          back={t('consoleContent.words.toPublished')}
          onBack={onBack}
        />
      )}
      {text !== file && file !== published && (
        <Before
          label={t('consoleContent.words.file')}
          text={file}
          back={t('consoleContent.words.toFile')}
          onBack={onBack}
        />
      )}
    </>
  )
}

function Before({
  label,
  text,
  back,
  onBack,
}: {
  label: string
  text: string
  back: string
  onBack: ((text: string) => void) | undefined
}) {
  return (
    <span className={styles.before}>
      <span>
        <span className={styles.sign}>{label}</span> {text}
      </span>
      {onBack && <TextButton onClick={() => onBack(text)}>{back}</TextButton>}
    </span>
  )
}
