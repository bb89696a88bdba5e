import { useRef, useState } from 'react'
import { flattenRound, priceFields, roundOfFlat } from '#contract/money/flat-sale.ts'
import { saleRound, type SaleRound } from '#contract/money/sale-rounds.ts'
import { getSaleSettings, updateSaleSettings, type SaleSettings } from '#contract/money/sale.ts'
import { call } from '../../kernel/call/call.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Checkbox, Select } from '../../kernel/ui/field.tsx'
import { loadAddressChanges } from './address-changes.ts'
import { ratesIn, type Confirmation, type TypedRates } from './confirm-rates.tsx'
import { AdmissionPart, BonusPart } from './round-parts.tsx'
import { codesOf, newRound, pricesLike, roundField, rulesOf } from './round-settings.ts'
import { jumpsBetween, noticeOf, SaleSettingsForm } from './sale-settings-form.tsx'
import styles from './sale.module.css'
import { MomentField, SettingField, type FieldsOf } from './setting-field.tsx'
import { useSettingsForm, type SavedSettings } from './use-settings-form.ts'
import { VestingEditor } from './vesting-editor.tsx'

const shape = saleRound.shape
const nameShape = shape.name.shape
const priceShape = shape.prices.def.element.shape

/** The settings with this round in the place of its saved version. A new round comes last. */
const withRound = (settings: SaleSettings, round: SaleRound): SaleSettings => {
  const isKnown = settings.rounds.some(({ id }) => id === round.id)
  const rounds = settings.rounds.map((each) => (each.id === round.id ? round : each))
  return { ...settings, rounds: isKnown ? rounds : [...rounds, round] }
}

type Props = {
  memberId: string
  mayWrite: boolean
  id: string
  settings: SaleSettings
  onSaved: (notice: PlainKey, settings: SaleSettings | undefined) => void
}

/** One round. It is saved with all other settings of the sale. */
export function RoundForm({ memberId, mayWrite, id, settings, onSaved }: Props) {
  const [typed, setTyped] = useState<TypedRates>({})
  // After a conflict, the other settings are sent as a colleague saved them.
  const latest = useRef(settings)
  const savedOf = (sale: SaleSettings): SavedSettings => ({
    flat: flattenRound(sale.rounds.find((each) => each.id === id) ?? newRound(id)),
    lastUpdated: sale.lastUpdated,
  })
  const form = useSettingsForm<SaleSettings>({
    memberId,
    name: `console round ${id}`,
    saved: savedOf(settings),
    schema: saleRound,
    bodyOf: (flat) => roundOfFlat(id, flat),
    fieldOf: roundField,
    load: async () => {
      latest.current = await call(getSaleSettings, {})
      return savedOf(latest.current)
    },
    send: (flat, lastUpdated) =>
      call(updateSaleSettings, {
        body: {
          ...withRound(latest.current, roundOfFlat(id, flat)),
          lastUpdated,
          ...ratesIn(confirmation),
        },
      }),
    onSaved: (answer) => {
      void loadAddressChanges()
      onSaved(noticeOf(settings, answer), answer)
    },
  })
  const after = withRound(settings, roundOfFlat(id, form.flat))
  const confirmation: Confirmation = { typed, changes: jumpsBetween(settings, after, settings) }
  const isNew = !settings.rounds.some((round) => round.id === id)
  return (
    <SaleSettingsForm
      of={form}
      mayWrite={mayWrite}
      settings={settings}
      terms={[settings, after]}
      confirmation={confirmation}
      onTyped={setTyped}
      nameOf={(code) => code.slice(id.length + 1)}
    >
      {mayWrite && isNew && <CopyRound of={form} rounds={settings.rounds} />}
      <TermsPart of={form} />
      <PricesPart of={form} settings={settings} />
      <BonusPart of={form} />
      <AdmissionPart of={form} />
      <VestingEditor of={form} />
    </SaleSettingsForm>
  )
}

/** Fills the form with the rules of another round, which stay editable. */
function CopyRound({ of, rounds }: { of: FieldsOf; rounds: readonly SaleRound[] }) {
  const { t, language } = useMessages()
  const [from, setFrom] = useState('')
  const other = rounds.find(({ id }) => id === from)
  if (rounds.length === 0) return null
  return (
    <div className={styles.add}>
      <Select
        label={t('consoleRounds.copy')}
        help={t('consoleRounds.copy.help')}
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      >
        <option value="">{t('consoleRounds.copy.choose')}</option>
        {rounds.map(({ id, name }) => (
          <option key={id} value={id}>
            {name[language]}
          </option>
        ))}
      </Select>
      <Button kind="quiet" disabled={!other} onClick={() => other && of.set(rulesOf(other))}>
        {t('consoleRounds.copy.now')}
      </Button>
    </div>
  )
}

function TermsPart({ of }: { of: FieldsOf }) {
  const { t } = useMessages()
  return (
    <section className={styles.part}>
      <h2>{t('consoleRounds.part.round')}</h2>
      <div className={styles.fields}>
        <SettingField of={of} path="nameEn" label={t('consoleRounds.nameEn')} schema={nameShape.en} />
        <SettingField of={of} path="nameCn" label={t('consoleRounds.nameCn')} schema={nameShape.cn} />
        <MomentField of={of} path="opensAt" label={t('consoleSale.opensAt')} />
        <MomentField of={of} path="closesAt" label={t('consoleSale.closesAt')} />
        <SettingField
          of={of}
          path="cap"
          label={t('consoleRounds.cap')}
          help={t('consoleRounds.cap.help')}
          schema={shape.cap}
          mayBeEmpty
        />
        <SettingField
          of={of}
          path="memberCap"
          label={t('consoleSale.memberCap')}
          help={t('consoleRounds.memberCap.help')}
          schema={shape.memberCap}
          mayBeEmpty
        />
      </div>
    </section>
  )
}

/** The payment methods of the sale. Each keeps its price and limits unless the round has its own. */
function PricesPart({ of, settings: { payMethods } }: { of: FieldsOf; settings: SaleSettings }) {
  const { t, language } = useMessages()
  const codes = codesOf(of.flat)
  const choose = (method: SaleSettings['payMethods'][number], isOwn: boolean) => {
    const chosen = payMethods.filter(({ code }) => (code === method.code ? isOwn : codes.includes(code)))
    of.set({
      // A price that was given up before keeps what was typed.
      ...(`${method.code}.rate` in of.flat ? {} : pricesLike(method)),
      payMethods: JSON.stringify(chosen.map(({ code }) => code)),
    })
  }
  return (
    <section className={styles.part} id="payMethods" tabIndex={-1}>
      <h2>{t('consoleRounds.prices')}</h2>
      {payMethods.length === 0 && <p>{t('consoleSale.payMethods.none')}</p>}
      {payMethods.map((method) => {
        const { code, rate } = method
        const isOwn = codes.includes(code)
        return (
          <fieldset key={code} className={styles.method}>
            <legend>{code}</legend>
            <Checkbox
              label={t('consoleRounds.prices.own.label')}
              help={t('consoleRounds.prices.ofSale', { rate: formatDecimal(rate, language), code })}
              checked={isOwn}
              onChange={({ target }) => choose(method, target.checked)}
            />
            {isOwn &&
              priceFields.map((field) => (
                <SettingField
                  key={field}
                  of={of}
                  path={`${code}.${field}`}
                  label={t(`consoleSale.method.${field}`)}
                  schema={priceShape[field]}
                  help={field === 'rate' ? t('consoleSale.method.rate.help', { code }) : undefined}
                />
              ))}
          </fieldset>
        )
      })}
    </section>
  )
}
