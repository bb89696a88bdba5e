import type { ComponentProps, FocusEvent, ReactNode } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { useMessages } from '../i18n/messages.tsx'
import { Checkbox, PasswordField, Select, TextArea, TextField } from '../ui/field.tsx'
import { afterPress } from './after-press.ts'
import { boundsOf, fieldOf, isRequired } from './field-bounds.ts'
import { problemMessage } from './problem-message.ts'
import type { ContractForm } from './use-contract-form.ts'

export type Bound<Values extends FieldValues, Output> = {
  of: ContractForm<Values, Output>
  name: Path<Values>
  help?: ReactNode
}

/** Attributes that the schema defines and that cannot be set on a field. */
type FromSchema = 'form' | 'name' | 'type' | 'inputMode' | 'minLength' | 'maxLength' | 'pattern' | 'required'

/** A form field with label, error message, and help. A single-line field accepts no more characters than its limit. */
export function FormInput<Values extends FieldValues, Output>({
  of,
  name,
  help,
  ...rest
}: Bound<Values, Output> & Omit<ComponentProps<'input'>, FromSchema>) {
  const bounds = boundsOf(fieldOf(of.schema, name))
  return <TextField {...rest} {...bounds} {...useBound({ of, name })} help={help} />
}

/**
 * Browsers silently truncate pasted text to `maxlength`. A truncated password would be wrong, so an error is shown
 * instead.
 */
export function FormPassword<Values extends FieldValues, Output>({
  of,
  name,
  help,
  deps,
  ...rest
}: Bound<Values, Output> & {
  autoComplete: 'current-password' | 'new-password'
  /** Fields whose validation depends on this one. */
  deps?: Path<Values>[]
} & Omit<ComponentProps<'input'>, FromSchema>) {
  const { t } = useMessages()
  const { minLength } = boundsOf(fieldOf(of.schema, name))
  const field = t(of.labels[name])
  const words = {
    show: t('forms.password.show'),
    hide: t('forms.password.hide'),
    showNamed: t('forms.password.showNamed', { field }),
    hideNamed: t('forms.password.hideNamed', { field }),
  }
  return (
    <PasswordField
      {...rest}
      minLength={minLength}
      {...useBound({ of, name, deps })}
      words={words}
      help={help}
    />
  )
}

/** Text that is too long shows an error, so that its author can shorten it. `maxlength` would cut off its end. */
export function FormTextArea<Values extends FieldValues, Output>({
  of,
  name,
  help,
  ...rest
}: Bound<Values, Output> & Omit<ComponentProps<'textarea'>, FromSchema>) {
  return <TextArea {...rest} {...useBound({ of, name })} help={help} />
}

export function FormSelect<Values extends FieldValues, Output>({
  of,
  name,
  help,
  ...rest
}: Bound<Values, Output> & Omit<ComponentProps<'select'>, FromSchema>) {
  return <Select {...rest} {...useBound({ of, name })} help={help} />
}

export function FormCheckbox<Values extends FieldValues, Output>({
  of,
  name,
  help,
}: Pick<Bound<Values, Output>, 'of' | 'name' | 'help'>) {
  const { optional: _, 'aria-required': __, ...bound } = useBound({ of, name })
  return <Checkbox {...bound} help={help} />
}

export function useBound<Values extends FieldValues, Output>({
  of,
  name,
  deps,
}: Bound<Values, Output> & { deps?: Path<Values>[] | undefined }) {
  const { t } = useMessages()
  // A form can require a field that its schema leaves optional.
  const isMissing = of.missing.includes(name) && !of.wrong.includes(name)
  const isNeeded = isRequired(fieldOf(of.schema, name)) || isMissing
  const { isTouched, isDirty, error } = of.form.getFieldState(name, of.form.formState)
  const isDue = error !== undefined && (isTouched || isDirty || error.type === 'server')
  const errorText = error?.message ?? ''
  // An untouched field is not validated along with this one. Its error would appear before the field is filled in and
  // disappear as the button is clicked, moving the button away.
  const revalidated = deps?.filter((other) => of.form.getFieldState(other, of.form.formState).isTouched)
  const { onBlur, ...registered } = of.form.register(name, revalidated ? { deps: revalidated } : undefined)
  return {
    ...registered,
    onBlur: (event: FocusEvent) => afterPress(() => void onBlur(event)),
    label: t(of.labels[name]),
    optional: isNeeded ? undefined : t('forms.optional'),
    error: isDue ? (error.type === 'server' ? errorText : problemMessage(t, errorText)) : undefined,
    'aria-required': isNeeded || undefined,
  }
}
