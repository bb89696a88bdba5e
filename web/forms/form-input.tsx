import type { ComponentProps, ReactNode } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { useWords } from '../i18n/words.tsx'
import { Checkbox, PasswordField, Select, TextArea, TextField } from '../ui/field.tsx'
import { sayProblem } from './problem-words.ts'
import type { ContractForm } from './use-contract-form.ts'

type Bound<Values extends FieldValues, Output> = {
  of: ContractForm<Values, Output>
  name: Path<Values>
  help?: ReactNode
  isOptional?: boolean
}

/** A field of a form, with its label, its error in words and its help. */
export function FormInput<Values extends FieldValues, Output>({
  of,
  name,
  help,
  isOptional = false,
  ...rest
}: Bound<Values, Output> & Omit<ComponentProps<'input'>, 'form' | 'name'>) {
  return <TextField {...rest} {...useBound({ of, name, isOptional })} help={help} />
}

export function FormPassword<Values extends FieldValues, Output>({
  of,
  name,
  help,
  deps,
  ...rest
}: Bound<Values, Output> & {
  autoComplete: 'current-password' | 'new-password'
  /** Fields whose error depends on this one. */
  deps?: Path<Values>[]
} & Omit<ComponentProps<'input'>, 'form' | 'name'>) {
  const { t } = useWords()
  const field = t(of.labels[name])
  const words = {
    show: t('forms.password.show'),
    hide: t('forms.password.hide'),
    showNamed: t('forms.password.showNamed', { field }),
    hideNamed: t('forms.password.hideNamed', { field }),
  }
  return <PasswordField {...rest} {...useBound({ of, name, deps })} words={words} help={help} />
}

export function FormTextArea<Values extends FieldValues, Output>({
  of,
  name,
  help,
  isOptional = false,
  ...rest
}: Bound<Values, Output> & Omit<ComponentProps<'textarea'>, 'form' | 'name'>) {
  return <TextArea {...rest} {...useBound({ of, name, isOptional })} help={help} />
}

export function FormSelect<Values extends FieldValues, Output>({
  of,
  name,
  help,
  isOptional = false,
  ...rest
}: Bound<Values, Output> & Omit<ComponentProps<'select'>, 'form' | 'name'>) {
  return <Select {...rest} {...useBound({ of, name, isOptional })} help={help} />
}

export function FormCheckbox<Values extends FieldValues, Output>({
  of,
  name,
  help,
}: Pick<Bound<Values, Output>, 'of' | 'name' | 'help'>) {
  const { optional: _, ...bound } = useBound({ of, name, isOptional: true })
  return <Checkbox {...bound} help={help} />
}

function useBound<Values extends FieldValues, Output>({
  of,
  name,
  isOptional = false,
  deps,
}: Bound<Values, Output> & { deps?: Path<Values>[] | undefined }) {
  const { t } = useWords()
  const { isTouched, isDirty, error } = of.form.getFieldState(name, of.form.formState)
  const isDue = error !== undefined && (isTouched || isDirty || error.type === 'server')
  const said = error?.message ?? ''
  // A field that nobody was in yet is not judged with this one: its error would stand there while it is typed in, and
  // its going away would move the button from under the pointer.
  const judgedToo = deps?.filter((other) => of.form.getFieldState(other, of.form.formState).isTouched)
  return {
    ...of.form.register(name, judgedToo ? { deps: judgedToo } : undefined),
    label: t(of.labels[name]),
    optional: isOptional ? t('forms.optional') : undefined,
    error: isDue ? (error.type === 'server' ? said : sayProblem(t, said)) : undefined,
    'aria-required': isOptional ? undefined : true,
  }
}
