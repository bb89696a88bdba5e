import { useEffect, useRef, useState } from 'react'
import {
  useForm,
  useWatch,
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form'
import type { ZodMiniType } from 'zod/mini'
import { useAction } from '../actions/use-action.ts'
import { CallFailed } from '../call/call-failed.ts'
import type { PlainKey } from '../i18n/message-key.ts'
import { watchPresses } from './after-press.ts'
import { problemText } from './problem-message.ts'

export type ContractForm<Values extends FieldValues, Output = Values> = {
  form: UseFormReturn<Values, unknown, Output>
  values: Partial<Values>
  /** The schema from which fields derive their limits. */
  schema: ZodMiniType
  labels: Record<keyof Values & string, PlainKey>
  /** The fields that prevent submission, in schema order. */
  missing: (keyof Values & string)[]
  /** Missing fields that contain an invalid value. */
  wrong: (keyof Values & string)[]
  /** Why the last submission failed, unless every reason is shown at its field. */
  failure: unknown
  isSending: boolean
  send: (event?: React.BaseSyntheticEvent) => Promise<void>
}

type Options<Values extends FieldValues, Output> = {
  schema: ZodMiniType<Output, Values>
  /** The label of every field, shown at the field and in the list of missing fields. */
  labels: Record<keyof Values & string, PlainKey>
  /** The part of the schema that must be valid before the button is enabled, if not all of it. */
  sendable?: ZodMiniType
  defaultValues?: DefaultValues<Values>
  submit: (output: Output) => Promise<void>
}

/**
 * A form that is validated by a schema of the contract. Errors appear once a field was left or changed. Without default
 * values, fields keep what was typed before hydration.
 */
export function useContractForm<Values extends FieldValues, Output = Values>({
  schema,
  labels,
  sendable = schema,
  defaultValues,
  submit,
}: Options<Values, Output>): ContractForm<Values, Output> {
  const { failure, run, reset } = useAction()
  const [, setIsAlive] = useState(false)
  const form = useForm<Values, unknown, Output>({
    mode: 'onTouched',
    resolver: resolverOf(schema),
    ...(defaultValues && { defaultValues }),
  })
  const watched = useWatch({ control: form.control })
  // Values that the browser filled in, or that the visitor typed before hydration, are known once the fields are
  // registered.
  useEffect(() => setIsAlive(true), [])
  useEffect(watchPresses, [])
  const values = { ...watched, ...form.getValues() } as Partial<Values>
  // Editing the form invalidates an error about its input. Connection errors, waiting times, and maintenance do not
  // depend on the input.
  const dependsOnEntries = failure instanceof CallFailed && ![0, 429, 503].includes(failure.status)
  const refused = useRef(watched)
  useEffect(() => {
    if (refused.current !== watched && dependsOnEntries) reset()
    refused.current = watched
  }, [watched, dependsOnEntries, reset])
  const fields = Object.keys(labels) as (keyof Values & string)[]

  const trySubmit = async (output: Output) => {
    try {
      await submit(output)
    } catch (cause) {
      const isAtFields = cause instanceof CallFailed && showAtFields(form, cause, fields)
      if (!isAtFields) throw cause
    }
  }
  const send = form.handleSubmit(async (output) => {
    const isSent = await run(() => trySubmit(output))
    // Without an error of its own, react-hook-form would report the submission as successful.
    if (!isSent) form.setError('root.failure', { type: 'failure' })
  })

  const missing = missingFields(sendable, values, fields)
  return {
    form,
    values,
    schema,
    labels,
    missing,
    wrong: missing.filter((field) => !isEmpty(values[field])),
    failure,
    isSending: form.formState.isSubmitting,
    send,
  }
}

/** Reports the first problem of each field. Errors nested in a field belong to that field. */
const resolverOf =
  <Values extends FieldValues, Output>(
    schema: ZodMiniType<Output, Values>,
  ): Resolver<Values, unknown, Output> =>
  (values) => {
    const { data, error } = schema.safeParse(values)
    if (!error) return { values: data, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const issue of error.issues)
      errors[String(issue.path[0] ?? 'root')] ??= { type: 'schema', message: problemText(issue) }
    return { values: {}, errors: errors as FieldErrors<Values> }
  }

/** The fields that the schema does not accept. */
export function missingFields<Name extends string>(
  schema: ZodMiniType,
  values: unknown,
  fields: readonly Name[],
): Name[] {
  const result = schema.safeParse(values)
  if (result.success) return []
  const refused = new Set(result.error.issues.map((issue) => String(issue.path[0] ?? '')))
  return fields.filter((field) => refused.has(field))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** Returns whether every problem named by the server belongs to a field of this form and is now shown there. */
function showAtFields<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  failure: CallFailed,
  fields: readonly string[],
): boolean {
  if (failure.code !== 'validation_failed') return false
  const known = failure.errors.filter((error) => fields.includes(error.path.split('.')[0] ?? ''))
  known.forEach((error, index) =>
    form.setError(
      error.path.split('.')[0] as Path<Values>,
      { type: 'server', message: error.message },
      { shouldFocus: index === 0 },
    ),
  )
  return known.length > 0 && known.length === failure.errors.length
}
