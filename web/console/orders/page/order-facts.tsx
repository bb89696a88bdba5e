import type { ConsoleOrderDetail } from '#contract/money/console-orders.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { levelOf } from '#contract/people/level-of.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { OnExplorer } from '../../../orders/chain/explorer-link.tsx'
import { formatDecimal } from '../../../kernel/i18n/format-decimal.ts'
import { pathTo } from '../../../kernel/routes/routes.ts'
import { pathToQueue } from '../../../kyc/review/review-address.ts'
import { KycTag } from '../../kyc-tag.tsx'
import { CopyValue } from '../../detail/copy-value.tsx'
import { LabeledFacts, type LabeledValues } from '../../detail/labeled-facts.tsx'
import { Figure } from '../figure.tsx'
import styles from '../orders.module.css'
import type { Values } from './action.ts'
import type { OrderContext } from './evidence.ts'
import { decimalOf } from './payment-actions.ts'

type CodeProps = { children: string; name: PlainKey; explorer?: string | null; kind?: 'tx' | 'address' }

/** A transaction or an address, with a button that copies it. */
function Code({ children, name, explorer = null, kind = 'address' }: CodeProps) {
  const { t } = useMessages()
  if (children === '') return '–'
  return (
    <CopyValue name={t(name)} text={children}>
      <span className={styles.code}>
        <OnExplorer explorer={explorer} kind={kind}>
          {children}
        </OnExplorer>
      </span>
    </CopyValue>
  )
}

/** Signed, so that the difference is clear without color. */
export function Difference({ value, unit }: { value: string; unit: string }) {
  const { t, language } = useMessages()
  if (value === '0') return t('consoleOrders.difference.none')
  const sign = value.startsWith('-') ? '−' : '+'
  return <strong>{`${sign}${formatDecimal(value.replace('-', ''), language)} ${unit}`}</strong>
}

/** The amounts due and received, side by side. */
export function paymentFacts({ t, moment, record: { detail } }: OrderContext): LabeledValues {
  const { order, explorer, paidAmount, paidAt, difference, receivingAddress, sameTransaction } = detail
  const { currency, payBefore } = order
  return {
    'consoleOrders.due': <Figure value={order.exactAmount} unit={currency} />,
    'consoleOrders.received':
      paidAmount === null ? t('consoleOrders.received.none') : <Figure value={paidAmount} unit={currency} />,
    'consoleOrders.difference': difference !== null && <Difference value={difference} unit={currency} />,
    'consoleOrders.receivedAt': paidAt !== null && moment(paidAt),
    'consoleOrders.txId': (
      <Code name="consoleOrders.txId" explorer={explorer} kind="tx">
        {order.txId}
      </Code>
    ),
    'consoleOrders.sameTransaction': sameTransaction.length > 0 && (
      <div className={styles.lines}>
        {sameTransaction.map(({ id, reference }) => (
          <p key={id}>
            <a className={styles.code} href={pathTo('console.order', { id })}>
              {reference}
            </a>
          </p>
        ))}
      </div>
    ),
    'consoleOrders.receivingAddress': (
      <Code name="consoleOrders.receivingAddress" explorer={explorer}>
        {receivingAddress}
      </Code>
    ),
    'consoleOrders.deadline': payBefore !== null && order.status === 'pending' && moment(payBefore),
  }
}

export function orderedFacts({
  t,
  language,
  moment,
  reader,
  record: { detail },
}: OrderContext): LabeledValues {
  const { order, memberEmail, memberName, kyc, round, bonusPercent } = detail
  return {
    'consoleOrders.member': (
      <div className={styles.lines}>
        {memberName && <p>{memberName}</p>}
        <p>
          <CopyValue name={t('consoleOrders.member')} text={memberEmail}>
            {levelOf(reader, 'employee') >= 1 ? (
              <a href={pathTo('console.member', { id: order.memberId })}>{memberEmail}</a>
            ) : (
              memberEmail
            )}
          </CopyValue>
        </p>
        <p>
          <a href={`${pathTo('console.orders')}?${new URLSearchParams({ q: memberEmail })}`}>
            {t('consoleOrders.ofMember')}
          </a>
        </p>
      </div>
    ),
    'consoleOrders.identity': (
      <div className={styles.lines}>
        <KycTag kyc={kyc} />
        {kyc !== 'none' && (
          <p>
            <a href={pathToQueue({ status: '', q: memberEmail })}>{t('consoleOrders.identity.cases')}</a>
          </p>
        )}
      </div>
    ),
    'consoleOrders.placed': moment(order.createdAt),
    'consoleOrders.payMethod': order.payMethod || '–',
    'consoleOrders.round': round !== null && round[language],
    'consoleOrders.quantity': <Figure value={order.exactFabQty} />,
    'consoleOrders.bonus':
      bonusPercent !== '0' &&
      t('consoleOrders.bonus.value', { percent: formatDecimal(bonusPercent, language) }),
    'consoleOrders.rate':
      order.rate !== null &&
      t('consoleOrders.rate.value', { coin: order.currency, rate: formatDecimal(order.rate, language) }),
  }
}

export const addressFacts = ({ record: { detail } }: OrderContext): LabeledValues => ({
  'consoleOrders.fabAddress': <Code name="consoleOrders.fabAddress">{detail.order.fabAddress}</Code>,
  'consoleOrders.ethAddress': <Code name="consoleOrders.ethAddress">{detail.order.ethAddress}</Code>,
  'consoleOrders.btcAddress': <Code name="consoleOrders.btcAddress">{detail.order.btcAddress}</Code>,
  'consoleOrders.email': detail.order.email || '–',
})

/** What completing the order with the current entries is based on, and its effects. */
export function CompletionFacts({ detail, values }: { detail: ConsoleOrderDetail; values: Values }) {
  const { t } = useMessages()
  const { order, paidAmount } = detail
  const { exactAmount, currency } = order
  const received = paidAmount ?? decimalOf(values['paidAmount']) ?? null
  const difference =
    received === null || exactAmount === null
      ? null
      : writeDecimal(parseDecimal(received) - parseDecimal(exactAmount))
  const txId = order.txId || (values['txId'] ?? '').trim()
  return (
    <LabeledFacts
      facts={{
        'consoleOrders.due': <Figure value={exactAmount} unit={currency} />,
        'consoleOrders.received':
          received === null ? (
            <strong>{t('consoleOrders.received.none')}</strong>
          ) : (
            <Figure value={received} unit={currency} />
          ),
        'consoleOrders.difference':
          difference === null ? '–' : <Difference value={difference} unit={currency} />,
        'consoleOrders.txId': txId ? (
          <span className={styles.code}>{txId}</span>
        ) : (
          t('consoleOrders.complete.noTransaction')
        ),
        'consoleOrders.complete.destination': <Destination order={order} />,
      }}
    />
  )
}

function Destination({ order: { exactFabQty, fabAddress } }: Pick<ConsoleOrderDetail, 'order'>) {
  const { t, language } = useMessages()
  return (
    <div className={styles.lines}>
      <p>
        {exactFabQty === null
          ? t('consoleOrders.unknown')
          : t('consoleOrders.complete.tokens', { quantity: formatDecimal(exactFabQty, language) })}
      </p>
      <p className={fabAddress ? styles.code : undefined}>
        {fabAddress || <strong>{t('consoleOrders.complete.noAddress')}</strong>}
      </p>
    </div>
  )
}
