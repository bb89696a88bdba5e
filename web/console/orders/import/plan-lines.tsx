import type { ImportEffect, ImportHold, ImportPlan } from '#contract/money/import-payments.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { formatDecimal } from '../../../kernel/i18n/format-decimal.ts'
import { pathTo } from '../../../kernel/routes/routes.ts'
import { Table } from '../../../kernel/ui/table.tsx'
import { Tag, type TagColor } from '../../../kernel/ui/tag.tsx'
import { Figure } from '../figure.tsx'
import styles from '../orders.module.css'

const effects: Readonly<Record<ImportEffect, { words: PlainKey; colour: TagColor }>> = {
  nothing: { words: 'consoleOrders.import.effect.nothing', colour: 'quiet' },
  records: { words: 'consoleOrders.import.effect.records', colour: 'verdigris' },
  completes: { words: 'consoleOrders.import.effect.completes', colour: 'green' },
  proposes: { words: 'consoleOrders.import.effect.proposes', colour: 'yellow' },
}

const holds: Readonly<Record<ImportHold, PlainKey>> = {
  changed_by_staff: 'consoleOrders.import.held.changedByStaff',
  transaction_by_staff: 'consoleOrders.import.held.transactionByStaff',
  proposed: 'consoleOrders.import.held.proposed',
  left_by_finance: 'consoleOrders.import.held.leftByFinance',
  account_closed: 'consoleOrders.import.held.accountClosed',
  identity_not_approved: 'consoleOrders.import.held.identityNotApproved',
  price_withdrawn: 'consoleOrders.import.held.priceWithdrawn',
  paid_late: 'consoleOrders.import.held.paidLate',
  new_price: 'consoleOrders.import.held.newPrice',
}

/** The effect of each line on its order, next to the order's current values. */
export function PlanLines({ lines }: Pick<ImportPlan, 'lines'>) {
  const { t, formatNumber } = useMessages()
  return (
    <Table
      caption={t('consoleOrders.import.lines')}
      rows={lines}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'line',
          heading: t('consoleOrders.import.line'),
          isFigure: true,
          cell: ({ line }) => formatNumber(line),
        },
        {
          name: 'reference',
          heading: t('consoleOrders.reference'),
          cell: ({ id, reference }) => (
            <a className={styles.reference} href={pathTo('console.order', { id })}>
              {reference}
            </a>
          ),
        },
        {
          name: 'effect',
          heading: t('consoleOrders.import.effect'),
          cell: ({ effect, held, isChanged }) => (
            <>
              <Tag colour={effects[effect].colour}>{t(effects[effect].words)}</Tag>
              {held && <p>{t(holds[held])}</p>}
              {isChanged && <p>{t('consoleOrders.import.isChanged')}</p>}
            </>
          ),
        },
        {
          name: 'delivery',
          heading: t('consoleOrders.import.delivery'),
          cell: (line) => <Delivery {...line} />,
        },
        {
          name: 'txId',
          heading: t('consoleOrders.txId'),
          cell: ({ txId, txIdBefore }) => (
            <div className={styles.lines}>
              {txId ? <p className={styles.code}>{txId}</p> : '–'}
              {txId && txIdBefore === '' && <p className={styles.basis}>{t('consoleOrders.import.newTx')}</p>}
            </div>
          ),
        },
        {
          name: 'amount',
          heading: t('consoleOrders.received'),
          isFigure: true,
          cell: ({ amount, currency, paidBefore }) => (
            <>
              <Figure value={amount} unit={currency} />
              {paidBefore !== null && paidBefore !== amount && <Before value={paidBefore} />}
            </>
          ),
        },
        {
          name: 'due',
          heading: t('consoleOrders.due'),
          isFigure: true,
          cell: ({ due, currency }) => <Figure value={due} unit={currency} />,
        },
        {
          name: 'difference',
          heading: t('consoleOrders.difference'),
          isFigure: true,
          cell: ({ difference }) => <Difference value={difference} />,
        },
      ]}
    />
  )
}

/** What the order delivers and where, because importing the line may complete it. */
function Delivery({ fabQty, addresses }: Pick<ImportPlan['lines'][number], 'fabQty' | 'addresses'>) {
  return (
    <div className={styles.lines}>
      <Figure value={fabQty} unit="" />
      {addresses.map((address) => (
        <p key={address} className={styles.code}>
          {address}
        </p>
      ))}
    </div>
  )
}

function Before({ value }: { value: string }) {
  const { t, language } = useMessages()
  return <p>{t('consoleOrders.import.before', { value: formatDecimal(value, language) })}</p>
}

function Difference({ value }: { value: string | null }) {
  const { t, language } = useMessages()
  if (value === null) return '–'
  if (value === '0') return t('consoleOrders.difference.none')
  return (
    <strong>{`${value.startsWith('-') ? '−' : '+'}${formatDecimal(value.replace('-', ''), language)}`}</strong>
  )
}
