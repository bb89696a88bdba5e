import type { ContentShape } from '#contract/content-shapes.ts'
import { htmlLanguage } from '../../../i18n/language.ts'
import { useWords } from '../../../i18n/words.tsx'
import { Checkbox, Field, Select, TextField } from '../../../ui/field.tsx'
import fieldStyles from '../../../ui/field.module.css'
import { choiceWord, fieldWord, languageWord, markWord } from './field-words.ts'
import styles from './facts.module.css'
import { useForm, type FieldProps } from './form-state.ts'
import { PhotoField } from './photo-field.tsx'

type Leaf = Exclude<ContentShape, { kind: 'object' | 'list' | 'named' }>

/** One text, number, choice or mark. */
export function LeafField({ shape, place, name, value, onValue, isOptional, language }: FieldProps<Leaf>) {
  const { t } = useWords()
  const { problemAt, mayWrite } = useForm()
  const error = problemAt(place)
  const word = fieldWord(t, name)
  const frame = {
    label: language ? (
      <>
        {word} <span className={styles.language}>{languageWord(t, language)}</span>
      </>
    ) : (
      word
    ),
    error,
    optional: isOptional ? t('forms.optional') : undefined,
  }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  // What may be left out is left out when nothing is typed.
  const give = (next: string) => onValue(isOptional && next === '' ? undefined : next)
  if (shape.kind === 'flag' || shape.kind === 'mark') {
    const isMark = shape.kind === 'mark'
    return (
      <Checkbox
        label={markWord(t, name)}
        error={error}
        data-place={place}
        disabled={!mayWrite}
        checked={isMark ? value !== undefined : value === true}
        onChange={({ target }) =>
          onValue(isMark ? (target.checked ? shape.value : undefined) : target.checked)
        }
      />
    )
  }
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
  if (shape.kind === 'photo')
    return <PhotoField {...frame} place={place} photo={text} onPhoto={give} mayWrite={mayWrite} />
  if (shape.kind === 'text')
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
            onChange={({ target }) => give(target.value.replaceAll(/\s*\n\s*/g, ' '))}
          />
        )}
      </Field>
    )
  return (
    <TextField
      {...frame}
      {...inputOf[shape.kind]}
      help={helpOf()}
      data-place={place}
      readOnly={!mayWrite}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ target }) => {
        const given = target.value
        if (shape.kind === 'number' && /^\d{1,15}$/.test(given.trim())) onValue(Number(given))
        else give(given)
      }}
    />
  )

  function helpOf(): string | undefined {
    if (shape.kind === 'id' && name === 'id') return t('consoleContent.field.id.help')
    return shape.kind === 'month' ? t('consoleContent.field.month.help') : undefined
  }
}

const inputOf = {
  id: { autoCapitalize: 'none' },
  address: { type: 'url', inputMode: 'url', placeholder: 'https://' },
  email: { type: 'email', inputMode: 'email' },
  day: { type: 'date' },
  month: { inputMode: 'numeric' },
  number: { inputMode: 'numeric' },
} as const
