import type { ContentField, ContentShape } from '#contract/content-shapes.ts'
import { languages } from '#contract/languages.ts'
import { useWords } from '../../../i18n/words.tsx'
import { fieldWord } from './field-words.ts'
import { under, type FieldProps } from './form-state.ts'
import { LeafField } from './leaf-field.tsx'
import { ListField } from './list-field.tsx'
import { NamedFields } from './named-fields.tsx'
import { isRecord } from '../merge-values.ts'
import styles from './facts.module.css'

type ObjectShape = Extract<ContentShape, { kind: 'object' }>

/** A field for a value of any shape. */
export function ShapeField(props: FieldProps) {
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
export function ObjectFields({
  shape,
  place,
  name,
  value,
  onValue,
  hasHeading,
}: FieldProps<ObjectShape> & { hasHeading?: boolean }) {
  const { t } = useWords()
  const given = isRecord(value) ? value : {}
  const set = (field: string, next: unknown) => onValue(withField(shape, given, field, next))
  const spoken = languages.flatMap((language) => {
    const field = shape.fields.find((each) => each.name === language)
    return field ? [{ language, field }] : []
  })
  const isSpoken = spoken.length > 1
  const others = shape.fields.filter((field) => !isSpoken || !spoken.some((each) => each.field === field))
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
                value={given[field.name]}
                isOptional={field.isOptional}
                onValue={(next) => set(field.name, next)}
              />
            </div>
          ))}
        </div>
      )}
      {isSpoken && <Spoken place={place} name={name} spoken={spoken} given={given} onPart={set} />}
    </>
  )
  if (!hasHeading || (isSpoken && others.length === 0)) return <div className={styles.object}>{body}</div>
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

type SpokenPart = { language: (typeof languages)[number]; field: ContentField }

/** A text in every language, side by side if there is room. */
function Spoken({
  place,
  name,
  spoken,
  given,
  onPart,
}: {
  place: string
  name: string
  spoken: readonly SpokenPart[]
  given: Record<string, unknown>
  onPart: (language: string, value: unknown) => void
}) {
  const first = spoken[0]!.field.shape
  // One text or list per language, such as a tagline of the brand.
  if (first.kind !== 'object')
    return (
      <div className={styles.pair}>
        {spoken.map(({ language, field }) => (
          <ShapeField
            key={language}
            shape={field.shape}
            name={name}
            language={language}
            place={under(place, language)}
            value={given[language]}
            onValue={(next) => onPart(language, next)}
          />
        ))}
      </div>
    )
  return first.fields.map(({ name: part, shape, isOptional }) => (
    <div key={part} className={styles.pair}>
      {spoken.map(({ language, field }) => {
        const words = isRecord(given[language]) ? given[language] : {}
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
