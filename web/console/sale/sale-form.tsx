import { useId, useState } from 'react'
import { flattenSale, type methodFields, saleOfFlat } from '#contract/money/flat-sale.ts'
import { reminderWaitMinutes } from '#contract/money/public-sale.ts'
import {
  getSaleSettings,
  payChains,
  saleInput,
  type SaleSettings,
  updateSaleSettings,
} from '#contract/money/sale.ts'
import type { FlatSettings } from '#contract/people/settings.ts'
import { call } from '../../kernel/call/call.ts'
import { addressProblemOn } from '../../kernel/forms/chain-address.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Checkbox, Select, TextField } from '../../kernel/ui/field.tsx'
import { loadAddressChanges } from './address-changes.ts'
import { ratesIn, type Confirmation, type TypedRates } from './confirm-rates.tsx'
import { jumpsBetween, noticeOf, SaleSettingsForm } from './sale-settings-form.tsx'
import styles from './sale.module.css'
import { MomentField, SettingField, type FieldsOf } from './setting-field.tsx'
import { chainLabels } from './setting-labels.ts'
import { useSettingsForm, type SavedSettings } from './use-settings-form.ts'

/** The rounds have forms of their own, and what is not sent does not change. */
function savedOf(settings: SaleSettings): SavedSettings {
  const { rounds: _, ...terms } = settings
  return { flat: flattenSale(terms), lastUpdated: terms.lastUpdated }
}

/** An empty field is not a number. */
const bodyOf = (flat: FlatSettings) => {
  const terms = saleOfFlat(flat)
  const whole = (text: string | undefined) => (text?.trim() ? Number(text) : Number.NaN)
  return {
    ...terms,
    quoteMinutes: whole(flat['quoteMinutes']),
    payMethods: terms.payMethods.map((method) => ({
      ...method,
      decimals: whole(flat[`${method.code}.decimals`]),
    })),
  }
}

/** Maps the API's `payMethods.1.rate` to the field `ETH.rate`. */
const fieldOf = (path: string, flat: FlatSettings): string => {
  const [, index, field] = /^payMethods\.(\d+)\.(\w+)$/.exec(path) ?? []
  const codes = JSON.parse(flat['payMethods'] ?? '[]') as string[]
  return index === undefined ? path : `${codes[Number(index)]}.${field}`
}

/** Reports a mistyped address before the review, not only when saving. */
const checkedSale = saleInput.check(({ value, issues }) => {
  for (const [index, { chain, receivingAddress }] of value.payMethods.entries()) {
    const problem = chain === 'other' ? undefined : addressProblemOn(chain, receivingAddress)
    if (problem)
      issues.push({
        code: 'custom',
        input: receivingAddress,
        path: ['payMethods', index, 'receivingAddress'],
        message: problem,
      })
  }
})

const shape = saleInput.shape
const codeSchema = shape.payMethods.def.element.shape.code

type Props = {
  memberId: string
  mayWrite: boolean
  settings: SaleSettings
  onSaved: (settings: SaleSettings | undefined) => void
}

/** The sale settings, which are saved as a whole. */
export function SaleForm({ memberId, mayWrite, settings, onSaved }: Props) {
  const { t } = useMessages()
  const [typed, setTyped] = useState<TypedRates>({})
  const form = useSettingsForm<SaleSettings>({
    memberId,
    name: 'console sale',
    saved: savedOf(settings),
    schema: checkedSale,
    bodyOf,
    fieldOf,
    load: async () => savedOf(await call(getSaleSettings, {})),
    send: (flat, lastUpdated) =>
      call(updateSaleSettings, {
        body: { ...bodyOf(flat), lastUpdated, ...ratesIn(confirmation) },
      }),
    onSaved: (answer) => {
      showNotice(t(noticeOf(settings, answer)), 'success')
      void loadAddressChanges()
      onSaved(answer)
    },
  })
  const [before, after] = [saleOfFlat(form.base.flat), saleOfFlat(form.flat)]
  const confirmation: Confirmation = { typed, changes: jumpsBetween(before, after, settings) }
  return (
    <SaleSettingsForm
      of={form}
      mayWrite={mayWrite}
      settings={settings}
      terms={[before, after]}
      confirmation={confirmation}
      onTyped={setTyped}
    >
      <TermsPart of={form} sold={settings.sold} />
      <PayMethodsPart of={form} known={form.base.flat} mayWrite={mayWrite} />
    </SaleSettingsForm>
  )
}

/** Whether the sale is open, when, and its limits. */
function TermsPart({ of, sold }: { of: FieldsOf; sold: SaleSettings['sold'] }) {
  const { t } = useMessages()
  return (
    <section className={styles.part}>
      <h2>{t('consoleSale.part.sale')}</h2>
      <Checkbox
        name="isOpen"
        label={t('consoleSale.isOpen.label')}
        help={t('consoleSale.isOpen.help', { minutes: reminderWaitMinutes })}
        checked={of.flat['isOpen'] === 'true'}
        onChange={(event) => of.set({ isOpen: String(event.target.checked) })}
      />
      <div className={styles.fields}>
        <MomentField of={of} path="opensAt" label={t('consoleSale.opensAt')} />
        <MomentField of={of} path="closesAt" label={t('consoleSale.closesAt')} />
        <SettingField
          of={of}
          path="cap"
          label={t('consoleSale.cap')}
          schema={shape.cap}
          mayBeEmpty
          help={sold === null ? t('consoleSale.cap.help') : t('consoleSale.cap.sold', { sold })}
        />
        <SettingField
          of={of}
          path="memberCap"
          label={t('consoleSale.memberCap')}
          schema={shape.memberCap}
          mayBeEmpty
          help={t('consoleSale.memberCap.help')}
        />
        <SettingField
          of={of}
          path="quoteMinutes"
          label={t('consoleSale.quoteMinutes')}
          schema={shape.quoteMinutes}
          help={t('consoleSale.quoteMinutes.help')}
        />
      </div>
    </section>
  )
}

/** The payment methods in their order. `known` has the values before the changes. */
function PayMethodsPart({ of, known, mayWrite }: { of: FieldsOf; known: FlatSettings; mayWrite: boolean }) {
  const { t } = useMessages()
  const codes = JSON.parse(of.flat['payMethods'] ?? '[]') as string[]
  const setCodes = (next: readonly string[], fields: FlatSettings = {}) =>
    of.set({ ...fields, payMethods: JSON.stringify(next) })
  return (
    <section className={styles.part} id="payMethods" tabIndex={-1}>
      <h2>{t('consoleSale.payMethods')}</h2>
      {codes.length === 0 && <p>{t('consoleSale.payMethods.none')}</p>}
      {codes.map((code, index) => (
        <MethodFields
          key={code}
          of={of}
          code={code}
          isNew={!(`${code}.rate` in known)}
          onUp={
            index === 0
              ? undefined
              : () => setCodes(codes.with(index - 1, code).with(index, codes[index - 1]!))
          }
          onRemove={() => setCodes(codes.filter((each) => each !== code))}
        />
      ))}
      {mayWrite && (
        <AddMethod
          codes={codes}
          onAdd={(code) =>
            // A removed method that is added again keeps its values.
            setCodes([...codes, code], `${code}.rate` in of.flat ? {} : newMethod(code))
          }
        />
      )}
    </section>
  )
}

function AddMethod({ codes, onAdd }: { codes: readonly string[]; onAdd: (code: string) => void }) {
  const { t } = useMessages()
  const id = useId()
  const [code, setCode] = useState('')
  const newCode = code.trim()
  const isTaken = codes.includes(newCode)
  const add = () => {
    if (newCode === '' || isTaken) return
    onAdd(newCode)
    setCode('')
  }
  return (
    <div className={styles.add}>
      <TextField
        id={id}
        label={t('consoleSale.method.add.code')}
        help={t('consoleSale.method.add.help')}
        error={isTaken ? t('consoleSale.method.add.taken') : undefined}
        value={code}
        maxLength={boundsOf(codeSchema).maxLength}
        autoComplete="off"
        onChange={(event) => setCode(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button kind="quiet" disabled={newCode === '' || isTaken} onClick={add}>
        {t('consoleSale.method.add')}
      </Button>
    </div>
  )
}

const methodShape = updateSaleSettings.body.shape.payMethods.def.element.shape

/** A coin that the sale accepts. Orders refer to its code, so a different code is a different method. */
function MethodFields({
  of,
  code,
  isNew,
  onRemove,
  onUp,
}: {
  of: FieldsOf
  code: string
  isNew: boolean
  onRemove: () => void
  /** Undefined for the first one. */
  onUp: (() => void) | undefined
}) {
  const { t } = useMessages()
  const at = (field: (typeof methodFields)[number]) => `${code}.${field}`
  const text = (field: (typeof methodFields)[number], isCode = false) => (
    <SettingField
      of={of}
      path={at(field)}
      label={t(`consoleSale.method.${field}`)}
      schema={methodShape[field]}
      isCode={isCode}
      help={field === 'rate' ? t('consoleSale.method.rate.help', { code }) : undefined}
    />
  )
  return (
    <fieldset className={styles.method}>
      <legend>
        {code}
        {isNew && <span className={styles.sign}> {t('consoleSale.method.isNew')}</span>}
      </legend>
      <Checkbox
        label={t('consoleSale.method.isOpen.label')}
        checked={of.flat[at('isOpen')] === 'true'}
        onChange={(event) => of.set({ [at('isOpen')]: String(event.target.checked) })}
      />
      <div className={styles.wide}>{text('receivingAddress', true)}</div>
      <ChainField of={of} path={at('chain')} />
      {text('rate')}
      {text('minAmount')}
      {text('maxAmount')}
      {text('decimals')}
      {text('currency')}
      <p className={styles.tools}>
        {onUp && (
          <TextButton aria-label={t('consoleSale.method.upNamed', { code })} onClick={onUp}>
            {t('consoleSale.method.up')}
          </TextButton>
        )}
        <TextButton aria-label={t('consoleSale.method.removeNamed', { code })} onClick={onRemove}>
          {t('consoleSale.method.remove')}
        </TextButton>
      </p>
    </fieldset>
  )
}

function ChainField({ of, path }: { of: FieldsOf; path: string }) {
  const { t } = useMessages()
  return (
    <Select
      label={t('consoleSale.method.chain')}
      value={of.flat[path]}
      onChange={(event) => of.set({ [path]: event.target.value })}
    >
      {payChains.map((chain) => (
        <option key={chain} value={chain}>
          {t(chainLabels[chain])}
        </option>
      ))}
    </Select>
  )
}

/** Defaults of a new method. Only staff know its rate and address. */
const newMethod = (code: string): FlatSettings =>
  Object.fromEntries(
    Object.entries({
      isOpen: 'false',
      chain: { BTC: 'bitcoin', ETH: 'ethereum' }[code] ?? 'other',
      currency: code.slice(0, 10),
      rate: '',
      minAmount: '0',
      maxAmount: '',
      decimals: '8',
      receivingAddress: '',
    }).map(([field, value]) => [`${code}.${field}`, value]),
  )
