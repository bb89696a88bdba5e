import type { methodFields } from '#contract/flat-sale.ts'
import { payChains, updateSaleSettings } from '#contract/sale.ts'
import type { FlatSettings } from '#contract/settings.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { TextButton } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import styles from './sale.module.css'
import { SettingField, type FieldsOf } from './setting-field.tsx'
import { chainLabels } from './setting-labels.ts'

const shape = updateSaleSettings.body.shape.payMethods.def.element.shape

/** A coin that the sale accepts. Orders refer to its code, so a different code is a different method. */
export function MethodFields({
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
      schema={shape[field]}
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
export const newMethod = (code: string): FlatSettings =>
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
