import { useState } from 'react'
import { roundAdmissions } from '#contract/money/sale-rounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { RadioField } from '../../kernel/ui/field.tsx'
import { countryName, findCountry } from './country-name.ts'
import { countriesIn, tiersIn, type TypedTier } from './round-flat.ts'
import styles from './sale.module.css'
import { SettingText, type FieldsOf } from './setting-field.tsx'

/** Bonus tiers by the quantity that an order buys before the bonus. */
export function BonusPart({ of }: { of: FieldsOf }) {
  const { t } = useMessages()
  const tiers = tiersIn(of.flat)
  const write = (next: readonly TypedTier[]) => of.set({ bonus: JSON.stringify(next) })
  return (
    <section className={styles.part} id="bonus" tabIndex={-1}>
      <h2>{t('consoleRounds.bonus')}</h2>
      <p>{t('consoleRounds.bonus.help')}</p>
      {tiers.map((tier, index) => {
        const text = (name: keyof TypedTier) => (
          <SettingText
            label={t(`consoleRounds.bonus.${name}`)}
            error={of.errors[`bonus.${index}.${name}`]}
            value={tier[name]}
            inputMode="decimal"
            autoComplete="off"
            onChange={({ target }) => write(tiers.with(index, { ...tier, [name]: target.value }))}
          />
        )
        return (
          <fieldset
            // oxlint-disable-next-line react/no-array-index-key -- a tier is identified by its position in the list
            key={index}
            className={styles.method}
          >
            <legend>{t('consoleRounds.bonus.tier', { number: index + 1 })}</legend>
            {text('from')}
            {text('percent')}
            <p className={styles.tools}>
              <TextButton
                aria-label={t('consoleRounds.bonus.remove', { number: index + 1 })}
                onClick={() => write(tiers.toSpliced(index, 1))}
              >
                {t('consoleSale.method.remove')}
              </TextButton>
            </p>
          </fieldset>
        )
      })}
      {of.errors['bonus'] && <p role="alert">{of.errors['bonus']}</p>}
      {tiers.length < tiersMax && (
        <div>
          <Button kind="quiet" onClick={() => write([...tiers, { from: '', percent: '' }])}>
            {t('consoleRounds.bonus.add')}
          </Button>
        </div>
      )}
    </section>
  )
}

const tiersMax = 10

/** Who can order in the round. */
export function AdmissionPart({ of }: { of: FieldsOf }) {
  const { t, language } = useMessages()
  const excluded = countriesIn(of.flat)
  const write = (next: readonly string[]) => of.set({ excludedCountries: JSON.stringify(next.toSorted()) })
  return (
    <section className={styles.part} id="excludedCountries" tabIndex={-1}>
      <h2>{t('consoleRounds.admission')}</h2>
      <RadioField
        label={t('consoleRounds.admission.label')}
        options={roundAdmissions.map((value) => ({ value, label: t(`consoleRounds.admission.${value}`) }))}
        chosen={of.flat['admission'] as (typeof roundAdmissions)[number]}
        onChoose={(admission) => of.set({ admission })}
      />
      <h3>{t('consoleRounds.countries')}</h3>
      <p>{t('consoleRounds.countries.help')}</p>
      {excluded.length > 0 && (
        <ul className={styles.summary}>
          {excluded.map((code) => (
            <li key={code}>
              {countryName(code, language)}{' '}
              <TextButton
                aria-label={t('consoleRounds.countries.remove', { country: countryName(code, language) })}
                onClick={() => write(excluded.filter((each) => each !== code))}
              >
                {t('consoleSale.method.remove')}
              </TextButton>
            </li>
          ))}
        </ul>
      )}
      {of.errors['excludedCountries'] && <p role="alert">{of.errors['excludedCountries']}</p>}
      <AddCountry onAdd={(code) => write([...new Set([...excluded, code])])} />
    </section>
  )
}

/** Staff type the name of a country in their language, or its code. */
function AddCountry({ onAdd }: { onAdd: (code: string) => void }) {
  const { t, language } = useMessages()
  const [typed, setTyped] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const add = () => {
    const code = findCountry(typed, language)
    setUnknown(code === undefined)
    if (code === undefined) return
    onAdd(code)
    setTyped('')
  }
  return (
    <div className={styles.add}>
      <SettingText
        label={t('consoleRounds.countries.add')}
        help={t('consoleRounds.countries.add.help')}
        error={isUnknown ? t('consoleRounds.countries.unknown') : undefined}
        value={typed}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value)
          setUnknown(false)
        }}
      />
      <Button kind="quiet" disabled={typed.trim() === ''} onClick={add}>
        {t('consoleRounds.countries.exclude')}
      </Button>
    </div>
  )
}
