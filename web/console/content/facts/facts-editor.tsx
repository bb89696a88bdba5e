import { type ReactNode, useMemo, useState } from 'react'
import { type ContentField, type ContentShape, getContentShape } from '#contract/publishing/content-shapes.ts'
import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import { languages } from '#contract/platform/languages.ts'
import { NotLoaded } from '../../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../../kernel/actions/use-loaded.ts'
import { call } from '../../../kernel/call/call.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { TextButton } from '../../../kernel/ui/button.tsx'
import { TextField } from '../../../kernel/ui/field.tsx'
import { messagesByPlace } from '../item-address.ts'
import { isRecord } from '../merge-values.ts'
import { WHOLE, type Draft } from '../use-draft.ts'
import { useShownPlace } from '../show-place.ts'
import { blankOf } from './blank-value.ts'
import { fieldWord } from './field-labels.ts'
import styles from './facts.module.css'
import { type FieldProps, FormProvider, type FormState, under, useForm } from './form-state.ts'
import { LeafField } from './leaf-field.tsx'
import { ListField } from './list-field.tsx'

/** A form for a data file or for the brand, built from its shape in the content rules. */
export function FactsEditor({
  draft,
  problems,
  mayWrite,
  at,
}: {
  draft: Draft
  problems: readonly ContentProblem[]
  mayWrite: boolean
  at: string | null
}) {
  const { t, language } = useMessages()
  const { piece } = draft.piece
  const loaded = useLoaded(`shape ${piece}`, () => call(getContentShape, { query: { piece } }))
  useShownPlace(at, loaded.state === 'ready')
  const state = useMemo((): FormState => {
    const messages = messagesByPlace(problems, piece, language)
    return {
      problemAt: (place) => messages.get(place),
      wrongWithin: (place) =>
        [...messages.keys()].filter((each) => `${each}.`.startsWith(`${place}.`)).length,
      mayWrite,
    }
  }, [problems, language, piece, mayWrite])
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleContent.loadFailed')} />
  return (
    <div className={styles.form}>
      <FormProvider value={state}>
        <ShapeField
          shape={loaded.data.shape}
          name=""
          place=""
          value={draft.valueAt(WHOLE)}
          onValue={(value) => draft.set(WHOLE, value)}
        />
      </FormProvider>
    </div>
  )
}

type ObjectShape = Extract<ContentShape, { kind: 'object' }>

/** A field for a value of any shape. */
function ShapeField(props: FieldProps) {
  const { shape } = props
  if (shape.kind === 'object') return <ObjectFields {...props} shape={shape} hasHeading />
  if (shape.kind === 'list')
    return (
      <ListField
        {...props}
        shape={shape}
        draw={(entry) =>
          entry.shape.kind === 'object' ? (
            <ObjectFields {...entry} shape={entry.shape} />
          ) : (
            <ShapeField {...entry} />
          )
        }
      />
    )
  if (shape.kind === 'named')
    return <NamedFields {...props} shape={shape} draw={(entry) => <ShapeField {...entry} />} />
  return <LeafField {...props} shape={shape} />
}

/** The fields of an object: first those without a language, then those of both languages side by side. */
function ObjectFields({
  shape,
  place,
  name,
  value,
  onValue,
  hasHeading,
}: FieldProps<ObjectShape> & { hasHeading?: boolean }) {
  const { t } = useMessages()
  const record = isRecord(value) ? value : {}
  const set = (field: string, next: unknown) => onValue(withField(shape, record, field, next))
  const localized = languages.flatMap((language) => {
    const field = shape.fields.find((each) => each.name === language)
    return field ? [{ language, field }] : []
  })
  const isLocalized = localized.length > 1
  const others = shape.fields.filter(
    (field) => !isLocalized || !localized.some((each) => each.field === field),
  )
  const body = (
    <>
      {others.length > 0 && (
        <div className={styles.fields}>
          {others.map((field) => (
            <div key={field.name} data-wide={isWide(field.shape) || undefined}>
              <ShapeField
                shape={field.shape}
                name={field.name}
                place={under(place, field.name)}
                value={record[field.name]}
                isOptional={field.isOptional}
                onValue={(next) => set(field.name, next)}
              />
            </div>
          ))}
        </div>
      )}
      {isLocalized && (
        <LocalizedFields place={place} name={name} localized={localized} record={record} onPart={set} />
      )}
    </>
  )
  if (!hasHeading || (isLocalized && others.length === 0)) return <div className={styles.object}>{body}</div>
  return (
    <fieldset className={styles.part} data-place={place}>
      <legend>{fieldWord(t, name)}</legend>
      {body}
    </fieldset>
  )
}

/** Returns the value with one field changed, or omitted if it is undefined, in the order of the shape and the files. */
function withField(
  { fields }: ObjectShape,
  value: Record<string, unknown>,
  name: string,
  next: unknown,
): Record<string, unknown> {
  const changed = { ...value, [name]: next }
  const present = fields.filter((each) => each.name in changed && (each.name !== name || next !== undefined))
  return Object.fromEntries(present.map((each) => [each.name, changed[each.name]]))
}

const isWide = (shape: ContentShape): boolean =>
  shape.kind === 'list' || shape.kind === 'object' || shape.kind === 'named'

type LocalizedPart = { language: (typeof languages)[number]; field: ContentField }

/** A text in every language, side by side if there is room. */
function LocalizedFields({
  place,
  name,
  localized,
  record,
  onPart,
}: {
  place: string
  name: string
  localized: readonly LocalizedPart[]
  record: Record<string, unknown>
  onPart: (language: string, value: unknown) => void
}) {
  const first = localized[0]!.field.shape
  // One text or list per language, such as a tagline of the brand.
  if (first.kind !== 'object')
    return (
      <div className={styles.pair}>
        {localized.map(({ language, field }) => (
          <ShapeField
            key={language}
            shape={field.shape}
            name={name}
            language={language}
            place={under(place, language)}
            value={record[language]}
            onValue={(next) => onPart(language, next)}
          />
        ))}
      </div>
    )
  return first.fields.map(({ name: part, shape, isOptional }) => (
    <div key={part} className={styles.pair}>
      {localized.map(({ language, field }) => {
        const words = isRecord(record[language]) ? record[language] : {}
        return (
          <ShapeField
            key={language}
            shape={shape}
            name={part}
            language={language}
            place={under(under(place, language), part)}
            value={words[part]}
            isOptional={isOptional}
            onValue={(next) => {
              const changed = withField(first, words, part, next)
              // An empty text in an optional language is omitted.
              const isEmpty = field.isOptional && Object.values(changed).every((each) => each === '')
              onPart(language, isEmpty ? undefined : changed)
            }}
          />
        )
      })}
    </div>
  ))
}

type NamedShape = Extract<ContentShape, { kind: 'named' }>

/** Values under names chosen by the editor, such as networks where the project has a profile. */
function NamedFields({
  shape,
  place,
  name,
  value,
  onValue,
  isOptional,
  draw,
}: FieldProps<NamedShape> & { draw: (entry: FieldProps) => ReactNode }) {
  const { t } = useMessages()
  const { mayWrite, problemAt } = useForm()
  const record = isRecord(value) ? value : {}
  const remove = (each: string) => {
    const { [each]: _, ...others } = record
    onValue(isOptional && Object.keys(others).length === 0 ? undefined : others)
  }
  return (
    <fieldset className={styles.part} data-place={place}>
      <legend>{fieldWord(t, name)}</legend>
      <div className={styles.fields}>
        {Object.entries(record).map(([each, of]) => (
          <div key={each}>
            {draw({
              shape: shape.item,
              name: each,
              place: under(place, each),
              value: of,
              onValue: (next) => onValue({ ...record, [each]: next }),
            })}
            {mayWrite && (
              <TextButton
                aria-label={t('consoleContent.removeNamed', { name: fieldWord(t, each) })}
                onClick={() => remove(each)}
              >
                {t('consoleContent.remove')}
              </TextButton>
            )}
          </div>
        ))}
        {mayWrite && (
          <NewName
            taken={Object.keys(record)}
            problem={problemAt(place)}
            onAdd={(added) => onValue({ ...record, [added]: blankOf(shape.item) })}
          />
        )}
      </div>
    </fieldset>
  )
}

function NewName({
  taken,
  problem,
  onAdd,
}: {
  taken: readonly string[]
  problem: string | undefined
  onAdd: (name: string) => void
}) {
  const { t } = useMessages()
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const isTaken = taken.includes(name)
  const add = () => {
    if (name === '' || isTaken) return
    onAdd(name)
    setTyped('')
  }
  return (
    <div>
      <TextField
        label={t('consoleContent.named.name')}
        error={isTaken ? t('consoleContent.named.taken') : problem}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <TextButton onClick={add}>{t('consoleContent.named.add')}</TextButton>
    </div>
  )
}
