import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import styles from './field.module.css'

export type FieldFrame = {
  label: ReactNode
  /** Shown under the field. It stays when an error is added. */
  help?: ReactNode
  /** A message that says what to do. */
  error?: ReactNode
  /** The page's label for an optional field. */
  optional?: ReactNode
}

type Wiring = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

/**
 * A label above, and a control, error, and help text below. `children` receives the attributes that connect the control
 * to them.
 */
export function Field({
  label,
  help,
  error,
  optional,
  id: givenId,
  children,
}: FieldFrame & { id?: string | undefined; children: (wiring: Wiring) => ReactNode }) {
  const madeId = useId()
  const id = givenId ?? madeId
  const described = [error ? `${id}-error` : '', help ? `${id}-help` : ''].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {optional && <span className={styles.optional}> {optional}</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}

/** The notes below a control. The error line is always rendered, so that screen readers announce its changes. */
export function FieldNotes({ id, help, error }: { id: string; help?: ReactNode; error?: ReactNode }) {
  return (
    <>
      <p className={styles.error} id={`${id}-error`} aria-live="polite">
        {error}
      </p>
      {help && (
        <div className={styles.help} id={`${id}-help`}>
          {help}
        </div>
      )}
    </>
  )
}

export function TextField({
  label,
  help,
  error,
  optional,
  id,
  className,
  ...rest
}: FieldFrame & ComponentProps<'input'>) {
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id}>
      {(wiring) => (
        <input
          type="text"
          {...rest}
          {...wiring}
          className={className ? `${styles.control} ${className}` : styles.control}
        />
      )}
    </Field>
  )
}

/**
 * A file input with a button in the page's language. `chosenName` is the name of the selected file, shown next to the
 * button.
 */
export function FileField({
  label,
  help,
  error,
  optional,
  id,
  chooseLabel,
  chosenName,
  ...rest
}: FieldFrame &
  Omit<ComponentProps<'input'>, 'type'> & { chooseLabel: string; chosenName?: string | undefined }) {
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id}>
      {(wiring) => (
        <div className={styles.file}>
          <input {...rest} {...wiring} type="file" className={styles.fileInput} />
          <label className={styles.choose} htmlFor={wiring.id}>
            {chooseLabel}
          </label>
          {chosenName && <span className={styles.fileName}>{chosenName}</span>}
        </div>
      )}
    </Field>
  )
}

/**
 * The labels include the field's name for screen readers, so that the button makes sense on its own: "Show" and "Show
 * password".
 */
type PasswordWords = { show: string; hide: string; showNamed: string; hideNamed: string }

export function PasswordField({
  label,
  help,
  error,
  optional,
  id,
  words,
  ...rest
}: FieldFrame & ComponentProps<'input'> & { words: PasswordWords }) {
  const [isShown, setIsShown] = useState(false)
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id}>
      {(wiring) => (
        <div className={styles.withButton}>
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...wiring}
            type={isShown ? 'text' : 'password'}
            className={styles.control}
          />
          <button
            type="button"
            className={styles.reveal}
            aria-label={isShown ? words.hideNamed : words.showNamed}
            aria-controls={wiring.id}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? words.hide : words.show}
          </button>
        </div>
      )}
    </Field>
  )
}

export function TextArea({
  label,
  help,
  error,
  optional,
  id,
  className = '',
  ...rest
}: FieldFrame & ComponentProps<'textarea'>) {
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id}>
      {(wiring) => (
        <textarea rows={5} {...rest} {...wiring} className={`${styles.control} ${className}`.trim()} />
      )}
    </Field>
  )
}

export function Select({
  label,
  help,
  error,
  optional,
  id,
  children,
  ...rest
}: FieldFrame & ComponentProps<'select'>) {
  return (
    <Field label={label} help={help} error={error} optional={optional} id={id}>
      {(wiring) => (
        <select {...rest} {...wiring} className={`${styles.control} ${styles.select}`}>
          {children}
        </select>
      )}
    </Field>
  )
}

export function Checkbox({
  label,
  help,
  error,
  id: givenId,
  ...rest
}: FieldFrame & Omit<ComponentProps<'input'>, 'type'>) {
  const madeId = useId()
  const id = givenId ?? madeId
  const described = [error ? `${id}-error` : '', help ? `${id}-help` : ''].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label className={styles.check} htmlFor={id}>
        <input {...rest} id={id} type="checkbox" aria-describedby={described || undefined} />
        <span>{label}</span>
      </label>
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}

type Choice<Value> = { value: Value; label: string }
type RadiosProps<Value> = {
  options: readonly Choice<Value>[]
  chosen: Value | undefined
  onChoose: (value: Value) => void
}

/** A few options that are all visible, of which one is chosen. */
export function Radios<Value extends string>({ options, chosen, onChoose }: RadiosProps<Value>) {
  const name = useId()
  return (
    <div className={styles.radios}>
      {options.map(({ value, label }) => (
        <label key={value} className={styles.check}>
          <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
          {label}
        </label>
      ))}
    </div>
  )
}

export function RadioField<Value extends string>({
  label,
  ...radios
}: RadiosProps<Value> & { label: string }) {
  return (
    <fieldset className={styles.radioField}>
      <legend>{label}</legend>
      <Radios {...radios} />
    </fieldset>
  )
}
