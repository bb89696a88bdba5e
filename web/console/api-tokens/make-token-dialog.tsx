import { useState } from 'react'
import {
  createApiToken,
  tokenAddressesMax,
  tokenDaysDefault,
  tokenDaysMax,
  tokensMax,
  type TokenLevels,
} from '#contract/api-tokens.ts'
import { levels } from '#contract/endpoint.ts'
import { levelOf, type Rights } from '#contract/level-of.ts'
import { useAction } from '../../actions/use-action.ts'
import { call, CallFailed } from '../../call/call.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import styles from './api-tokens.module.css'
import { TokenSecret } from './token-secret.tsx'
import { hasAnyLevel, levelChoices, levelNames } from './token-words.ts'

const none: TokenLevels = { news: 0, employee: 0, finance: 0, coins: 0 }
const fields = createApiToken.body.shape
const usualDays = [30, 90, 180, 365] as const

/** Asks for everything that bounds a token, and then shows its secret, this once. */
export function MakeTokenDialog({ maker, onClose }: { maker: Rights; onClose: (hasMade: boolean) => void }) {
  const { t, formatNumber } = useWords()
  const [name, setName] = useState('')
  const [purpose, setPurpose] = useState('')
  const [wanted, setWanted] = useState(none)
  const [isReadOnly, setReadOnly] = useState(true)
  const [days, setDays] = useState<number>(tokenDaysDefault)
  const [addresses, setAddresses] = useState('')
  const [isAsked, setAsked] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { isBusy, failure, error, run } = useAction()
  const own = levels.filter((level) => levelOf(maker, level) > 0)
  const isComplete = name.trim() !== '' && hasAnyLevel(wanted)
  const list = addresses.split(/[\s,;]+/).filter(Boolean)
  const atField = failure instanceof CallFailed ? failure.errors[0]?.path : undefined
  const wrong = /^addresses\.(\d+)$/.exec(atField ?? '')?.[1]

  const isFull = atField === 'name'
  const nameError = isAsked && name.trim() === '' ? t('field.required') : undefined

  const make = () => {
    setAsked(true)
    if (!isComplete) return
    void run(async () => {
      const body = { name, purpose, levels: wanted, isReadOnly, days, addresses: list }
      setSecret((await call(createApiToken, { body })).secret)
    })
  }
  if (secret !== undefined)
    return (
      <Dialog
        isOpen
        // A slip of the hand must not lose what is shown once.
        onClose={() => {}}
        title={t('tokens.made', { name: name.trim() })}
        actions={<Button onClick={() => onClose(true)}>{t('tokens.secret.done')}</Button>}
      >
        <TokenSecret secret={secret} />
      </Dialog>
    )
  return (
    <Dialog
      isOpen
      onClose={() => onClose(false)}
      title={t('tokens.make')}
      actions={
        <>
          <Button kind="quiet" disabled={isBusy} onClick={() => onClose(false)}>
            {t('forms.cancel')}
          </Button>
          <Button busy={isBusy} onClick={make}>
            {t('tokens.make.go')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <TextField
          label={t('tokens.name')}
          help={t('tokens.name.help')}
          error={nameError}
          maxLength={boundsOf(fields.name).maxLength}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={t('tokens.purpose')}
          optional={t('forms.optional')}
          maxLength={boundsOf(fields.purpose).maxLength}
          value={purpose}
          onChange={({ target }) => setPurpose(target.value)}
        />
        <fieldset className={styles.fieldset}>
          <legend>{t('tokens.levels')}</legend>
          <p className={styles.quiet}>{t('tokens.levels.help')}</p>
          <div className={styles.choices}>
            {own.map((level) => (
              <Select
                key={level}
                label={t(levelNames[level])}
                value={wanted[level]}
                onChange={({ target }) =>
                  setWanted({ ...wanted, [level]: Number(target.value) as TokenLevels[typeof level] })
                }
              >
                {([0, 1, 2] as const)
                  .filter((value) => value <= levelOf(maker, level))
                  .map((value) => (
                    <option key={value} value={value}>
                      {t(levelChoices[value])}
                    </option>
                  ))}
              </Select>
            ))}
          </div>
          <p className={styles.error} aria-live="polite">
            {isAsked && !hasAnyLevel(wanted) && t('tokens.levels.missing')}
          </p>
        </fieldset>
        <Checkbox
          label={t('tokens.readOnly.choose')}
          help={t('tokens.readOnly.help')}
          checked={isReadOnly}
          onChange={({ target }) => setReadOnly(target.checked)}
        />
        <Select
          label={t('tokens.days')}
          help={t('tokens.days.help')}
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
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
          error={
            wrong !== undefined
              ? t('tokens.addresses.wrong', { address: list[Number(wrong)] ?? '' })
              : undefined
          }
          rows={2}
          spellCheck={false}
          value={addresses}
          onChange={({ target }) => setAddresses(target.value)}
        />
      </div>
      <FormStatus error={isFull ? t('tokens.tooMany', { count: tokensMax }) : wrong === undefined && error} />
    </Dialog>
  )
}
