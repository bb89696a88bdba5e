import { createContext, useContext, type ComponentProps, type ReactNode } from 'react'
import type { ZodMiniType } from 'zod/mini'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { LongTextField } from '../../kernel/forms/long-text.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { readTypedAmount } from '../../kernel/typed-amount.ts'
import { Field, TextField, type FieldFrame } from '../../kernel/ui/field.tsx'
import { localTimeOf, momentsOf, ownZone, zoneName } from '../../announcements/schedule/zoned-time.ts'
import styles from './sale.module.css'
import type { SettingsFormState } from './use-settings-form.ts'

export type FieldsOf = Pick<SettingsFormState, 'flat' | 'errors' | 'set'>

type Props = { of: FieldsOf; path: string; label: ReactNode; help?: ReactNode }

/** Whether the reader can view the settings but not change them. */
export const ReadOnlySettings = createContext(false)

type Typed = { target: { value: string } }
type TextProps = FieldFrame &
  Pick<ComponentProps<'input'>, 'id' | 'name' | 'inputMode' | 'maxLength' | 'autoComplete'> & {
    value: string
    onChange: (event: Typed) => void
    isLong?: boolean
  }

/** A text field. Read-only settings show the value as text. */
export function SettingText({ isLong = false, ...props }: TextProps) {
  const isReadOnly = useContext(ReadOnlySettings)
  const { label, help, id, value, inputMode, onChange } = props
  // Accepts a decimal comma, as in members' forms.
  const tidy = ({ target }: Typed) => {
    const read = readTypedAmount(target.value)
    if (read !== target.value) onChange({ target: { value: read } })
  }
  const field = inputMode === 'decimal' ? { ...props, onBlur: tidy } : props
  if (!isReadOnly) return isLong ? <LongTextField {...field} /> : <TextField {...field} />
  return (
    <Field label={label} help={help} id={id}>
      {(wiring) => (
        <output id={wiring.id} aria-describedby={wiring['aria-describedby']} className={styles.value}>
          {value || '–'}
        </output>
      )}
    </Field>
  )
}

/** One setting, edited as text. */
export function SettingField({
  of,
  path,
  label,
  help,
  schema,
  isCode = false,
  mayBeEmpty = false,
}: Props & { schema: ZodMiniType; isCode?: boolean; mayBeEmpty?: boolean }) {
  const { t } = useMessages()
  const { inputMode } = boundsOf(schema)
  return (
    <SettingText
      name={path}
      label={label}
      help={help}
      error={of.errors[path]}
      optional={mayBeEmpty ? t('forms.optional') : undefined}
      value={of.flat[path] ?? ''}
      inputMode={inputMode}
      maxLength={boundsOf(schema).maxLength}
      isLong={isCode}
      autoComplete="off"
      onChange={(event) => of.set({ [path]: event.target.value })}
    />
  )
}

/** A time, entered in the reader's time zone and stored in UTC. */
export function MomentField({ of, path, label, help }: Props) {
  const { t } = useMessages()
  const kept = of.flat[path] ?? ''
  const moment = Date.parse(kept)
  const zone = ownZone()
  const isMoment = kept.endsWith('Z') && !Number.isNaN(moment)
  const read = (local: string): string => {
    const moments = momentsOf(local.slice(0, 16), zone)
    if (!moments || moments.kind === 'none') return local
    return new Date(moments.kind === 'one' ? moments.at : moments.earlier).toISOString()
  }
  return (
    <TextField
      type="datetime-local"
      name={path}
      label={label}
      optional={t('forms.optional')}
      error={of.errors[path]}
      help={
        isMoment && zone !== 'UTC'
          ? t('consoleSale.utc', { zone: zoneName(zone), time: kept.slice(0, 16).replace('T', ' ') })
          : (help ?? zoneName(zone))
      }
      value={isMoment ? localTimeOf(moment, zone) : kept}
      onChange={(event) => of.set({ [path]: read(event.target.value) })}
    />
  )
}
