import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import styles from '../ui/field.module.css'
import { TextArea, type FieldFrame } from '../ui/field.tsx'
import { boundsOf, fieldOf } from './field-bounds.ts'
import { useBound, type Bound } from './form-input.tsx'

/**
 * A field for an ID, an address, or a URL that is longer than a line: it grows with its value. Like an input, it has no
 * line breaks, and Enter submits the form.
 */
export function LongTextField({ onChange, ...rest }: FieldFrame & ComponentProps<'textarea'>) {
  return (
    <TextArea
      rows={1}
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      className={styles.long}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
        event.preventDefault()
        // Like a browser, does nothing while the button is disabled.
        event.currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.click()
      }}
      onChange={(event) => {
        // Pasted text can contain line breaks.
        if (/[\r\n]/.test(event.target.value))
          event.target.value = event.target.value.replaceAll(/[\r\n]+/g, '')
        onChange?.(event)
      }}
    />
  )
}

/** Like `FormInput`, for a value that is longer than a line. */
export function FormLongText<Values extends FieldValues, Output>({
  of,
  name,
  help,
}: Pick<Bound<Values, Output>, 'of' | 'name' | 'help'>) {
  const { maxLength } = boundsOf(fieldOf(of.schema, name))
  return <LongTextField maxLength={maxLength} {...useBound({ of, name })} help={help} />
}
