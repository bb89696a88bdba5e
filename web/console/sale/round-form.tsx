import { useRef, useState } from 'react'
import { isBeyondPercent, rateChanges } from '#contract/money/flat-sale.ts'
import { saleRound, type SaleRound } from '#contract/money/sale-rounds.ts'
import { getSaleSettings, updateSaleSettings, type SaleSettings } from '#contract/money/sale.ts'
import type { FlatSettings } from '#contract/people/settings.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Checkbox, Select } from '../../kernel/ui/field.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { loadAddressChanges } from './address-changes.ts'
import { ConfirmRates, isTyped, ratesIn, type TypedRates } from './confirm-rates.tsx'
import {
  codesOf,
  copyOf,
  flattenRound,
  newRound,
  priceFields,
  problemOfPlan,
  roundField,
  roundOfFlat,
} from './round-flat.ts'
import { AdmissionPart, BonusPart } from './round-parts.tsx'
import styles from './sale.module.css'
import { MomentField, SettingField, type FieldsOf } from './setting-field.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useSettingsForm, type SavedSettings } from './use-settings-form.ts'
import { VestingEditor } from './vesting-editor.tsx'

/** Reports percentages that do not add up before the review, not only when saving. */
const checkedRound = saleRound.check(({ value, issues }) => {
  const problem = problemOfPlan(value.vesting)
  if (problem) issues.push({ code: 'custom', input: value.vesting, path: ['vesting'], message: 'invalid' })
})

const shape = saleRound.shape
const nameShape = shape.name.shape
const priceShape = shape.prices.def.element.shape

/** The settings with this round in the place of its saved version. A new round comes last. */
export const withRound = (settings: SaleSettings, round: SaleRound): SaleRound[] =>
  settings.rounds.some(({ id }) => id === round.id)
    ? settings.rounds.map((each) => (each.id === round.id ? round : each))
    : [...settings.rounds, round]

type Props = {
  memberId: string
  mayWrite: boolean
  id: string
  settings: SaleSettings
  onSaved: (settings: SaleSettings | undefined) => void
}

/** One round. It is saved with all other settings of the sale. */
export function RoundForm({ memberId, mayWrite, id, settings, onSaved }: Props) {
  const { t } = useMessages()
  const [typed, setTyped] = useState<TypedRates>({})
  const [isChecked, setChecked] = useState(false)
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
    schema: checkedRound,
    bodyOf: (flat) => roundOfFlat(id, flat),
    fieldOf: (path, flat) => roundField(path.replace(/^rounds\.\d+\./, ''), flat),
    load: async () => {
      latest.current = await call(getSaleSettings, {})
      return savedOf(latest.current)
    },
    send: (flat, lastUpdated) =>
      call(updateSaleSettings, {
        body: {
          ...latest.current,
          rounds: withRound(latest.current, roundOfFlat(id, flat)),
          lastUpdated,
          ...ratesIn(jumps, typed),
        },
      }),
    onSaved: (answer) => {
      const isProposed = answer?.proposal != null && answer.proposal.id !== settings.proposal?.id
      showNotice(t(isProposed ? 'consoleSale.proposed' : 'consoleSale.saved'), 'success')
      void loadAddressChanges()
      onSaved(answer)
    },
  })
  const rates = typedRateChanges(settings, roundOfFlat(id, form.flat))
  const jumps = rates.filter((each) => isBeyondPercent(each, settings.rateChangePercent))
  return (
    <SettingsForm
      of={form}
      mayWrite={mayWrite}
      note={
        <>
          <p>{t('consoleSale.ownPrice')}</p>
          {settings.proposal && <p>{t('consoleSale.endsProposal')}</p>}
        </>
      }
      mayBeSaved={() => {
        setChecked(true)
        return jumps.every((each) => isTyped(each, typed))
      }}
      beforeSaving={
        <>
          <ConfirmRates
            changes={jumps}
            typed={typed}
            isChecked={isChecked}
            onTyped={setTyped}
            nameOf={(code) => code.slice(id.length + 1)}
          />
          {settings.takesTwo && (
            <Message kind="note">
              <p>{t(rates.length > 0 ? 'consoleSale.rate.takesTwo' : 'consoleSale.terms.takesTwo')}</p>
            </Message>
          )}
          <p>{t('consoleSale.ownPrice')}</p>
        </>
      }
    >
      {mayWrite && <CopyRound of={form} id={id} rounds={settings.rounds} />}
      <TermsPart of={form} />
      <PricesPart of={form} settings={settings} />
      <BonusPart of={form} />
      <AdmissionPart of={form} />
      <VestingEditor of={form} />
    </SettingsForm>
  )
}

/** The price changes in the input. */
const typedRateChanges = (settings: SaleSettings, round: SaleRound) =>
  rateChanges(settings, { ...settings, rounds: withRound(settings, round) }, settings.rateReferences)

/** Fills the form with the rules of another round, which stay editable. */
function CopyRound({ of, id, rounds }: { of: FieldsOf; id: string; rounds: readonly SaleRound[] }) {
  const { t, language } = useMessages()
  const others = rounds.filter((round) => round.id !== id)
  if (others.length === 0) return null
  const copy = (from: string) => {
    const other = others.find((round) => round.id === from)
    if (!other) return
    const { nameEn: _, nameCn: __, opensAt: ___, closesAt: ____, ...rules } = flattenRound(copyOf(other, id))
    of.set(rules)
  }
  return (
    <div className={styles.fields}>
      <Select
        label={t('consoleRounds.copy')}
        help={t('consoleRounds.copy.help')}
        value=""
        onChange={({ target }) => copy(target.value)}
      >
        <option value="">{t('consoleRounds.copy.choose')}</option>
        {others.map((round) => (
          <option key={round.id} value={round.id}>
            {round.name[language]}
          </option>
        ))}
      </Select>
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
function PricesPart({ of, settings }: { of: FieldsOf; settings: SaleSettings }) {
  const { t } = useMessages()
  const { payMethods } = settings
  const codes = codesOf(of.flat)
  // A method that the sale no longer has keeps its fields here until they are removed.
  const all = [...new Set([...payMethods.map(({ code }) => code), ...codes])]
  const choose = (code: string, isOwn: boolean) => {
    const method = payMethods.find((each) => each.code === code)
    const fields: FlatSettings =
      `${code}.rate` in of.flat || !method
        ? {}
        : Object.fromEntries(priceFields.map((field) => [`${code}.${field}`, method[field]]))
    const next = all.filter((each) => (each === code ? isOwn : codes.includes(each)))
    of.set({ ...fields, payMethods: JSON.stringify(next) })
  }
  return (
    <section className={styles.part} id="payMethods" tabIndex={-1}>
      <h2>{t('consoleRounds.prices')}</h2>
      {all.length === 0 && <p>{t('consoleSale.payMethods.none')}</p>}
      {all.map((code) => (
        <fieldset key={code} className={styles.method}>
          <legend>{code}</legend>
          <Checkbox
            label={t('consoleRounds.prices.own', { code })}
            help={t('consoleRounds.prices.ofSale', {
              rate: payMethods.find((each) => each.code === code)?.rate ?? '–',
              code,
            })}
            checked={codes.includes(code)}
            onChange={({ target }) => choose(code, target.checked)}
          />
          {codes.includes(code) &&
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
      ))}
    </section>
  )
}
