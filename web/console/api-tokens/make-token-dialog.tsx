import { useState, type ReactNode } from 'react'
import {
  createApiToken,
  tokenAddressesMax,
  tokenDaysDefault,
  tokenDaysMax,
  tokensMax,
  type TokenLevels,
} from '#contract/people/api-tokens.ts'
import { levels } from '#contract/platform/endpoint.ts'
import { levelOf, type Rights } from '#contract/people/level-of.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../kernel/ui/field.tsx'
import styles from './api-tokens.module.css'

const fields = createApiToken.body.shape
const usualDays = [30, 90, 180, 365] as const
const blank = {
  name: '',
  purpose: '',
  levels: { news: 0, employee: 0, finance: 0, coins: 0 } as TokenLevels,
  isReadOnly: true,
  days: tokenDaysDefault as number,
  addresses: '',
}
type Wanted = typeof blank

type Props = {
  maker: Rights
  onDone: (made: { name: string; secret: string }) => void
  onClose: () => void
}

/** Asks for the levels and limits of a token. */
export function MakeTokenDialog({ maker, onDone, onClose }: Props) {
  const { t } = useMessages()
  const [wanted, setWanted] = useState(blank)
  const change = (changed: Partial<Wanted>) => setWanted({ ...wanted, ...changed })
  const [isSubmitted, setSubmitted] = useState(false)
  /** The field that the server rejected. */
  const [rejectedField, setRejectedField] = useState('')
  const name = wanted.name.trim()
  const addresses = wanted.addresses.split(/[\s,;]+/).filter(Boolean)
  const wrong = addresses.find((_, index) => rejectedField === `addresses.${index}`)
  const nameError = () => {
    if (isSubmitted && name === '') return t('field.required')
    return rejectedField === 'name' && t('tokens.tooMany', { count: tokensMax })
  }
  const hasLevel = levels.some((level) => wanted.levels[level] > 0)
  const make = () => {
    setSubmitted(true)
    setRejectedField('')
    if (name === '' || !hasLevel) return null
    return call(createApiToken, { body: { ...wanted, addresses } })
  }
  return (
    <ConfirmDialog
      title={t('tokens.make.go')}
      label={t('tokens.make.go')}
      step={make}
      onDone={({ secret }) => onDone({ name, secret })}
      onFailure={(failure) => {
        const [{ path } = { path: '' }] = failure instanceof CallFailed ? failure.errors : []
        setRejectedField(path)
        return /^(?:name$|addresses\.)/.test(path)
      }}
      onClose={onClose}
    >
      <TextField
        label={t('tokens.name')}
        help={t('tokens.name.help')}
        error={nameError()}
        maxLength={boundsOf(fields.name).maxLength}
        value={wanted.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <TextField
        label={t('tokens.purpose')}
        optional={t('forms.optional')}
        maxLength={boundsOf(fields.purpose).maxLength}
        value={wanted.purpose}
        onChange={({ target }) => change({ purpose: target.value })}
      />
      <Levels maker={maker} wanted={wanted} isMissing={isSubmitted && !hasLevel} onChange={change} />
      <Limits
        wanted={wanted}
        error={wrong !== undefined && t('tokens.addresses.wrong', { address: wrong })}
        onChange={change}
      />
    </ConfirmDialog>
  )
}

type Fields = { wanted: Wanted; onChange: (changed: Partial<Wanted>) => void }

/** Offers only levels that the owner has. */
function Levels({ maker, wanted, isMissing, onChange }: Fields & { maker: Rights; isMissing: boolean }) {
  const { t } = useMessages()
  const own = levels.filter((level) => levelOf(maker, level) > 0)
  return (
    <fieldset className={styles.fieldset}>
      <legend>{t('tokens.levels')}</legend>
      <p className={styles.quiet}>{t('tokens.levels.help')}</p>
      <div className={styles.choices}>
        {own.map((level) => (
          <Select
            key={level}
            label={t(`tokens.level.${level}`)}
            value={wanted.levels[level]}
            onChange={({ target }) =>
              onChange({ levels: { ...wanted.levels, [level]: Number(target.value) } })
            }
          >
            {([0, 1, 2] as const)
              .filter((value) => value <= levelOf(maker, level))
              .map((value) => (
                <option key={value} value={value}>
                  {t(`tokens.choice.${value}`)}
                </option>
              ))}
          </Select>
        ))}
      </div>
      <p className={styles.error} aria-live="polite">
        {isMissing && t('tokens.levels.missing')}
      </p>
    </fieldset>
  )
}

/** `error` is that of the address field. */
function Limits({ wanted, error, onChange }: Fields & { error: ReactNode }) {
  const { t, formatNumber } = useMessages()
  return (
    <>
      <Checkbox
        label={t('tokens.readOnly.choose')}
        help={t('tokens.readOnly.help')}
        checked={wanted.isReadOnly}
        onChange={({ target }) => onChange({ isReadOnly: target.checked })}
      />
      <Select
        label={t('tokens.days')}
        help={t('tokens.days.help')}
        value={wanted.days}
        onChange={({ target }) => onChange({ days: Number(target.value) })}
      >
        {usualDays.map((count) => (
          <option key={count} value={count}>
            {count === tokenDaysMax
              ? t('tokens.days.year')
              : t('tokens.days.count', { count: formatNumber(count) })}
          </option>
        ))}
      </Select>
      <TextArea
        label={t('tokens.addresses')}
        optional={t('forms.optional')}
        help={t('tokens.addresses.help', { count: tokenAddressesMax })}
        error={error}
        rows={2}
        spellCheck={false}
        value={wanted.addresses}
        onChange={({ target }) => onChange({ addresses: target.value })}
      />
    </>
  )
}
