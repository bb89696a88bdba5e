import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import { LongTextField } from '../../../kernel/forms/long-text.tsx'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { TextArea, TextField } from '../../../kernel/ui/field.tsx'
import type { ActionField } from './action.ts'
import type { Entries } from './use-entries.ts'

type Props = {
  fields: readonly ActionField[]
  entries: Entries
  helpOf: (field: ActionField) => string | undefined
}

export const ActionFields = ({ fields, entries, helpOf }: Props) =>
  fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      help={helpOf(field)}
      value={entries.values[field.name] ?? ''}
      error={entries.problemOf(field.name)}
      onChange={(value) => entries.edit(field.name, value)}
    />
  ))

type FieldProps = {
  field: ActionField
  help: string | undefined
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

const inputTypes = { day: 'date', moment: 'datetime-local' } as const

function OneField({ field: { label, schema, kind, max }, help, value, error, onChange }: FieldProps) {
  const { t } = useMessages()
  const shared = { label: t(label), error, value }
  if (kind === 'lines')
    return (
      <TextArea
        {...shared}
        help={help}
        rows={3}
        maxLength={boundsOf(schema).maxLength}
        onChange={({ target }) => onChange(target.value.replaceAll(/\s*\n\s*/g, ' '))}
      />
    )
  if (kind === 'day' || kind === 'moment')
    return (
      <TextField
        {...shared}
        type={inputTypes[kind]}
        max={max}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  if (kind === 'code')
    return (
      <LongTextField
        {...shared}
        help={help}
        maxLength={boundsOf(schema).maxLength}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  return (
    <TextField
      {...shared}
      help={help}
      autoComplete="off"
      spellCheck={false}
      inputMode={kind === 'decimal' ? 'decimal' : undefined}
      maxLength={boundsOf(schema).maxLength}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
