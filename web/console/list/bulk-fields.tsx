import { useState } from 'react'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../kernel/ui/field.tsx'
import type { BulkField, BulkOption } from './list-spec.ts'
import type { Given } from './use-bulk.ts'

/** Stands for a reason that hasn't been entered yet, so that the preview finds the other obstacles. */
const sampleReason = '0'

type Values = Readonly<Record<string, string | boolean | null | undefined>>

export type BulkEntries = ReturnType<typeof useBulkEntries>

/** The input that the rows share, and what is missing in it. */
export function useBulkEntries(fields: readonly BulkField[]) {
  const [values, setValues] = useState<Values>({})
  const [missing, setMissing] = useState<readonly string[]>([])
  const given: Given = Object.fromEntries(
    fields.map((field) => [field.name, sentValue(field, values[field.name])]),
  )
  const hasAll = fields.every((field) => field.kind === 'reason' || isGiven(field, values[field.name]))
  return {
    fields,
    values,
    given,
    /** The same for previews, which don't depend on the text of a reason. Undefined until the rest is entered. */
    tried: hasAll
      ? Object.fromEntries(
          fields.map(({ kind, name }) => [name, kind === 'reason' ? sampleReason : given[name]]),
        )
      : undefined,
    edit(name: string, value: string | boolean | null) {
      setValues({ ...values, [name]: value })
      setMissing(missing.filter((each) => each !== name))
    },
    isMissing: (name: string) => missing.includes(name),
    /** Whether all required fields of rows with these bases are filled in. */
    check(bases: readonly string[]): boolean {
      const open = fields.filter((field) => isRequired(field, bases) && !isGiven(field, values[field.name]))
      setMissing(open.map(({ name }) => name))
      return open.length === 0
    },
  }
}

function isRequired(field: BulkField, bases: readonly string[]): boolean {
  if (field.kind !== 'reason') return true
  const needs = field.isRequired
  return typeof needs === 'boolean' ? needs : bases.some((basis) => needs.includes(basis))
}

function isGiven({ kind }: BulkField, value: Values[string]): boolean {
  if (kind === 'check') return true
  if (kind === 'choice') return value !== undefined
  return typeof value === 'string' && value.trim() !== ''
}

function sentValue({ kind }: BulkField, value: Values[string]): unknown {
  if (kind === 'check') return value === true
  if (kind === 'choice') return value
  if (kind === 'reason') return typeof value === 'string' ? value.trim() : ''
  const at = new Date(String(value))
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}

/** Only the preview knows whether a row needs a reason, which is then required for all rows. */
export const BulkFields = ({ entries, bases }: { entries: BulkEntries; bases: readonly string[] }) =>
  entries.fields.map((field) => <OneField key={field.name} field={field} entries={entries} bases={bases} />)

type FieldProps = { field: BulkField; entries: BulkEntries; bases: readonly string[] }

function OneField({ field, entries, bases }: FieldProps) {
  const { t } = useMessages()
  const { name, kind } = field
  const value = entries.values[name]
  const text = typeof value === 'string' ? value : ''
  const shared = {
    label: t(field.label),
    help: field.help && t(field.help),
    error: entries.isMissing(name) ? t('field.required') : undefined,
  }
  if (kind === 'check')
    return (
      <Checkbox
        {...shared}
        checked={value === true}
        onChange={({ target }) => entries.edit(name, target.checked)}
      />
    )
  if (kind === 'choice') return <Choice {...shared} field={field} entries={entries} />
  if (kind === 'moment')
    return (
      <TextField
        {...shared}
        type="datetime-local"
        value={text}
        onChange={({ target }) => entries.edit(name, target.value)}
      />
    )
  return (
    <TextArea
      {...shared}
      optional={isRequired(field, bases) ? undefined : t('forms.optional')}
      rows={3}
      maxLength={boundsOf(field.schema).maxLength}
      value={text}
      onChange={({ target }) => entries.edit(name, target.value)}
    />
  )
}

type ChoiceProps = {
  label: string
  help: string | undefined
  error: string | undefined
  field: Extract<BulkField, { kind: 'choice' }>
  entries: BulkEntries
}

/** A select, whose first option stands for no choice yet. */
function Choice({ field: { name, options }, entries, ...shared }: ChoiceProps) {
  const { t } = useMessages()
  const loaded = useLoaded(name, options)
  const known: readonly BulkOption[] = loaded.state === 'ready' ? loaded.data : []
  const at = known.findIndex(({ value }) => value === entries.values[name])
  return (
    <Select
      {...shared}
      value={at === -1 ? '' : String(at)}
      onChange={({ target }) => {
        const chosen = known[Number(target.value)]
        if (target.value && chosen) entries.edit(name, chosen.value)
      }}
    >
      <option value="">
        {t(loaded.state === 'failed' ? 'console.list.failed' : 'console.list.bulk.choose')}
      </option>
      {known.map((option, index) => (
        <option key={index} value={index}>
          {'text' in option ? option.text : t(option.label)}
        </option>
      ))}
    </Select>
  )
}
