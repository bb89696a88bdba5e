import { useContext, useState } from 'react'
import { bonusTiers, type BonusTier } from '#contract/money/round-bonus.ts'
import { roundAdmissions } from '#contract/money/sale-rounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { RadioField, Select } from '../../kernel/ui/field.tsx'
import { countryName, listCountries } from './country-name.ts'
import { countriesIn, tiersIn } from './round-settings.ts'
import styles from './sale.module.css'
import { ReadOnlySettings, SettingText, type FieldsOf } from './setting-field.tsx'

const tiersMax = 10
const tierShape = bonusTiers.def.element.shape

/** Bonus tiers by the quantity that an order buys before the bonus. */
export function BonusPart({ of }: { of: FieldsOf }) {
  const { t } = useMessages()
  const tiers = tiersIn(of.flat)
  const write = (next: readonly BonusTier[]) => of.set({ bonus: JSON.stringify(next) })
  return (
    <section className={styles.part} id="bonus" tabIndex={-1}>
      <h2>{t('consoleRounds.bonus')}</h2>
      <p>{t('consoleRounds.bonus.help')}</p>
      {tiers.map((tier, index) => {
        const number = index + 1
        return (
          <fieldset
            // oxlint-disable-next-line react/no-array-index-key -- a tier is identified by its position in the list
            key={index}
            className={styles.line}
          >
            <legend>{t('consoleRounds.bonus.tier', { number })}</legend>
            {(['from', 'percent'] as const).map((name) => (
              <SettingText
                key={name}
                label={t(`consoleRounds.bonus.${name}`)}
                error={of.errors[`bonus.${index}.${name}`]}
                value={tier[name]}
                inputMode="decimal"
                maxLength={boundsOf(tierShape[name]).maxLength}
                autoComplete="off"
                onChange={({ target }) => write(tiers.with(index, { ...tier, [name]: target.value }))}
              />
            ))}
            <TextButton
              aria-label={t('consoleRounds.bonus.remove', { number })}
              onClick={() => write(tiers.toSpliced(index, 1))}
            >
              {t('consoleSale.method.remove')}
            </TextButton>
          </fieldset>
        )
      })}
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

/** Who can order in the round. */
export function AdmissionPart({ of }: { of: FieldsOf }) {
  const { t, language } = useMessages()
  const isReadOnly = useContext(ReadOnlySettings)
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
      {of.flat['admission'] === 'listed' && <p>{t('consoleRounds.admission.help')}</p>}
      <h3>{t('consoleRounds.countries')}</h3>
      <p>{t('consoleRounds.countries.help')}</p>
      {excluded.length > 0 && (
        <ul className={styles.choices} aria-label={t('consoleRounds.countries')}>
          {excluded.map((code) => (
            <li key={code}>
              {countryName(code, language)}
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
      {isReadOnly && excluded.length === 0 && <p>{t('consoleSale.none')}</p>}
      {!isReadOnly && <AddCountry excluded={excluded} onAdd={(code) => write([...excluded, code])} />}
    </section>
  )
}

function AddCountry({ excluded, onAdd }: { excluded: readonly string[]; onAdd: (code: string) => void }) {
  const { t, language } = useMessages()
  const [chosen, setChosen] = useState('')
  return (
    <div className={styles.add}>
      <Select
        label={t('consoleRounds.countries.add')}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">{t('consoleRounds.countries.choose')}</option>
        {listCountries(language)
          .filter(({ code }) => !excluded.includes(code))
          .map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
      </Select>
      <Button
        kind="quiet"
        disabled={chosen === ''}
        onClick={() => {
          onAdd(chosen)
          setChosen('')
        }}
      >
        {t('consoleRounds.countries.exclude')}
      </Button>
    </div>
  )
}
