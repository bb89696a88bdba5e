import { uploadContentPicture } from '#contract/publishing/console-content-files.ts'
import type { ContentShape } from '#contract/publishing/content-shapes.ts'
import { useAction } from '../../../kernel/actions/use-action.ts'
import { call, CallFailed } from '../../../kernel/call/call.ts'
import { htmlLanguage } from '../../../kernel/i18n/language.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { isHeic, preparePicture, readDataUrl } from '../../../kernel/prepare-picture.ts'
import { TextButton } from '../../../kernel/ui/button.tsx'
import { Checkbox, Field, type FieldFrame, FileField, Select, TextField } from '../../../kernel/ui/field.tsx'
import fieldStyles from '../../../kernel/ui/field.module.css'
import { choiceWord, fieldWord, languageWord, markWord } from './field-labels.ts'
import styles from './facts.module.css'
import { useForm, type FieldProps } from './form-state.ts'

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

/**
 * Scales a picture down before it is sent, so that it is never too large. If this browser cannot read it, the server
 * tries.
 */
async function read(file: File): Promise<string> {
  const prepared = await preparePicture(file, 0)
  if (prepared) return readDataUrl(prepared.blob, 'image/jpeg')
  return readDataUrl(file, isHeic(file) ? 'image/heic' : file.type || 'image/unknown')
}

/** The picture of a person or partner. Without one, a rosette is drawn from the name. */
function PhotoField({
  label,
  error,
  optional,
  place,
  photo,
  onPhoto,
  mayWrite,
}: FieldFrame & {
  place: string
  /** The file name; empty if there is no picture. */
  photo: string
  onPhoto: (photo: string) => void
  mayWrite: boolean
}) {
  const { t } = useMessages()
  const { isBusy, failure, error: said, run } = useAction()
  const refused =
    failure instanceof CallFailed ? failure.errors.find(({ path }) => path === 'picture')?.message : undefined
  async function take(input: HTMLInputElement) {
    const [file] = input.files ?? []
    if (!file) return
    await run(async () => {
      const { photo: name } = await call(uploadContentPicture, { body: { picture: await read(file) } })
      onPhoto(name)
    })
    // Allows choosing the same file again.
    input.value = ''
  }
  return (
    <div className={styles.photo}>
      {photo !== '' && (
        <img src={`/assets/people/${photo}`} alt={t('consoleContent.photo.alt')} width={80} height={80} />
      )}
      <div>
        <FileField
          label={label}
          optional={optional}
          chooseLabel={t('forms.file.choose')}
          error={refused ?? said ?? error}
          help={isBusy ? t('forms.sending') : photo === '' ? t('consoleContent.photo.none') : photo}
          data-place={place}
          disabled={!mayWrite}
          accept="image/jpeg,image/png,image/webp,image/gif,image/heic,.heic,.heif"
          aria-busy={isBusy}
          onChange={({ target }) => void take(target)}
        />
        {photo !== '' && mayWrite && (
          <TextButton onClick={() => onPhoto('')}>{t('consoleContent.photo.remove')}</TextButton>
        )}
      </div>
    </div>
  )
}
