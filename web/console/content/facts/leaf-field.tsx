import type { ContentShape } from '#contract/content-shapes.ts'
import { htmlLanguage } from '../../../i18n/language.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { Checkbox, Field, Select, TextField, type FieldFrame } from '../../../ui/field.tsx'
import fieldStyles from '../../../ui/field.module.css'
import { choiceWord, fieldWord, languageWord, markWord } from './field-labels.ts'
import styles from './facts.module.css'
import { useForm, type FieldProps } from './form-state.ts'
import { PhotoField } from './photo-field.tsx'

type Leaf = Exclude<ContentShape, { kind: 'object' | 'list' | 'named' }>

/** One text, number, choice, or checkbox. */
export function LeafField(props: FieldProps<Leaf>) {
  const { shape, place, name, value, onValue, isOptional, language } = props
  const { t } = useMessages()
  const { problemAt, mayWrite } = useForm()
  if (shape.kind === 'flag' || shape.kind === 'mark')
    return <FlagField {...props} checkedValue={shape.kind === 'mark' ? shape.value : true} />
  const word = fieldWord(t, name)
  const frame = {
    label: language ? (
      <>
        {word} <span className={styles.language}>{languageWord(t, language)}</span>
      </>
    ) : (
      word
    ),
    error: problemAt(place),
    optional: isOptional ? t('forms.optional') : undefined,
  }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  // An empty optional value is omitted.
  const give = (next: string) => onValue(isOptional && next === '' ? undefined : next)
  if (shape.kind === 'photo')
    return <PhotoField {...frame} place={place} photo={text} onPhoto={give} mayWrite={mayWrite} />
  if (shape.kind === 'choice')
    return (
      <Select
        {...frame}
        data-place={place}
        disabled={!mayWrite}
        value={text}
        onChange={({ target }) => give(target.value)}
      >
        {shape.options.map((option) => (
          <option key={option} value={option}>
            {choiceWord(t, option)}
          </option>
        ))}
      </Select>
    )
  const typing = { ...frame, place, text, mayWrite, onText: give }
  if (shape.kind === 'text') return <Paragraph {...typing} language={language} />
  return <Line {...typing} kind={shape.kind} name={name} onNumber={onValue} />
}

/** If unchecked, a mark is omitted and a flag is false. */
function FlagField({
  shape,
  place,
  name,
  value,
  onValue,
  checkedValue,
}: FieldProps<Leaf> & { checkedValue: unknown }) {
  const { t } = useMessages()
  const { problemAt, mayWrite } = useForm()
  const isMark = shape.kind === 'mark'
  return (
    <Checkbox
      label={markWord(t, name)}
      error={problemAt(place)}
      data-place={place}
      disabled={!mayWrite}
      checked={isMark ? value !== undefined : value === true}
      onChange={({ target }) => onValue(target.checked ? checkedValue : isMark ? undefined : false)}
    />
  )
}

type Typing = FieldFrame & {
  place: string
  text: string
  mayWrite: boolean
  onText: (text: string) => void
}

function Paragraph({
  place,
  text,
  mayWrite,
  onText,
  language,
  ...frame
}: Typing & Pick<FieldProps, 'language'>) {
  return (
    <Field {...frame}>
      {(wiring) => (
        <textarea
          {...wiring}
          rows={1}
          data-place={place}
          {...(language && { lang: htmlLanguage[language] })}
          className={`${fieldStyles.control} ${styles.area}`}
          value={text}
          readOnly={!mayWrite}
          onChange={({ target }) => onText(target.value.replaceAll(/\s*\n\s*/g, ' '))}
        />
      )}
    </Field>
  )
}

function Line({
  kind,
  name,
  place,
  text,
  mayWrite,
  onText,
  onNumber,
  ...frame
}: Typing & { kind: keyof typeof inputOf; name: string; onNumber: (value: number) => void }) {
  const { t } = useMessages()
  const isNumber = (typed: string) => kind === 'number' && /^\d{1,15}$/.test(typed.trim())
  const help =
    kind === 'id' && name === 'id'
      ? t('consoleContent.field.id.help')
      : kind === 'month'
        ? t('consoleContent.field.month.help')
        : undefined
  return (
    <TextField
      {...frame}
      {...inputOf[kind]}
      help={help}
      data-place={place}
      readOnly={!mayWrite}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ target }) =>
        isNumber(target.value) ? onNumber(Number(target.value)) : onText(target.value)
      }
    />
  )
}

const inputOf = {
  id: { autoCapitalize: 'none' },
  address: { type: 'url', inputMode: 'url', placeholder: 'https://' },
  email: { type: 'email', inputMode: 'email' },
  day: { type: 'date' },
  month: { inputMode: 'numeric' },
  number: { inputMode: 'numeric' },
} as const
