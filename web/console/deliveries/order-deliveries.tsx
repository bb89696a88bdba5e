import { useState } from 'react'
import { listDeliveries, type ConsoleDelivery } from '#contract/money/console-deliveries.ts'
import type { Order } from '#contract/money/orders.ts'
import { pageSizeMax } from '#contract/platform/fields.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { callPage } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { isOpen } from '../../orders/delivery/delivery-labels.ts'
import { nearestOf, standingOf, sumsOf, type DeliverySums } from '../../orders/delivery/own-deliveries.ts'
import { Amount } from '../amount.tsx'
import { LabeledFacts } from '../detail/labeled-facts.tsx'
import { ListTime } from '../list/list-time.tsx'
import styles from './deliveries.module.css'
import { DeliveryDialog, type DeliveryAct } from './delivery-dialog.tsx'
import { DeliveryStatus } from './delivery-status.tsx'

type Props = {
  order: Pick<Order, '_id' | 'reference' | 'status' | 'updatedAt'>
  mayAct: boolean
  isBeingWithdrawn: boolean
  onChanged: () => void
}

/** The deliveries of a completed order, which finance can hold, release, or create for an old order. */
export function OrderDeliveries(props: Props) {
  const { t } = useMessages()
  if (props.order.status !== 'completed') return null
  return (
    <PagePart id="deliveries" heading={t('consoleDeliveries.heading')}>
      <Loaded {...props} />
    </PagePart>
  )
}

function Loaded({ order, mayAct, isBeingWithdrawn, onChanged }: Props) {
  const { t } = useMessages()
  const [act, setAct] = useState<DeliveryAct>()
  const loaded = useLoaded(`${order._id} ${order.updatedAt}`, () =>
    callPage(listDeliveries, { query: { q: order.reference, sort: 'due', limit: pageSizeMax } }),
  )
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleDeliveries.failed')} />
  const { rows, next } = loaded.data
  const { first, end } = nearestOf(rows)
  const all = `${pathTo('console.deliveries')}?${new URLSearchParams({ q: order.reference })}`
  return (
    <>
      {rows.length === 0 && <p>{t('consoleDeliveries.order.none')}</p>}
      {rows.length === 0 && mayAct && !isBeingWithdrawn && (
        <Button
          kind="quiet"
          onClick={() => setAct({ name: 'create', orderId: order._id, reference: order.reference })}
        >
          {t('consoleDeliveries.create.action')}
        </Button>
      )}
      {next === undefined && <Sums of={rows} />}
      {rows.length > 0 && <DeliveriesTable rows={rows.slice(first, end)} mayAct={mayAct} onAct={setAct} />}
      {(next !== undefined || end - first < rows.length) && <a href={all}>{t('consoleDeliveries.all')}</a>}
      {act && (
        <DeliveryDialog
          act={act}
          onDone={() => {
            loaded.reload()
            onChanged()
          }}
          onClose={() => setAct(undefined)}
        />
      )}
    </>
  )
}

/** What happened to the tokens, if they are delivered in parts. */
function Sums({ of }: { of: readonly ConsoleDelivery[] }) {
  const standing = standingOf(of)
  if (standing.length < 2) return null
  const { delivered, dueNext, locked } = sumsOf(of)
  return (
    <LabeledFacts
      facts={{
        'consoleDeliveries.totals.delivered': <Amount value={delivered} />,
        'consoleDeliveries.totals.locked': <Amount value={locked} />,
        'consoleDeliveries.order.next': dueNext && <NextDelivery of={dueNext} />,
      }}
    />
  )
}

function NextDelivery({ of: { amount, dueAt } }: { of: NonNullable<DeliverySums['dueNext']> }) {
  return (
    <>
      <Amount value={amount} /> · <ListTime at={dueAt} />
    </>
  )
}

type TableProps = { rows: readonly ConsoleDelivery[]; mayAct: boolean; onAct: (act: DeliveryAct) => void }

function DeliveriesTable({ rows, mayAct, onAct }: TableProps) {
  const { t } = useMessages()
  return (
    <Table
      caption={t('consoleDeliveries.caption')}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'part',
          heading: t('consoleDeliveries.part'),
          isFigure: true,
          cell: ({ tranche }) => tranche,
        },
        {
          name: 'reference',
          heading: t('consoleDeliveries.reference'),
          cell: ({ reference }) => <span className={styles.reference}>{reference}</span>,
        },
        {
          name: 'due',
          heading: t('consoleDeliveries.due'),
          cell: ({ dueAt }) => <ListTime at={dueAt} />,
        },
        {
          name: 'amount',
          heading: t('consoleDeliveries.amount'),
          isFigure: true,
          cell: ({ amount }) => <Amount value={amount} />,
        },
        {
          name: 'state',
          heading: t('consoleDeliveries.state'),
          cell: (delivery) => <DeliveryStatus of={delivery} />,
        },
        {
          name: 'txId',
          heading: t('consoleDeliveries.txId'),
          cell: ({ txId }) => (txId ? <span className={styles.code}>{txId}</span> : '–'),
        },
        ...(mayAct ? [{ name: 'act', heading: t('consoleDeliveries.actions'), cell: actOf }] : []),
      ]}
    />
  )

  function actOf(delivery: ConsoleDelivery) {
    // What is in a run or was sent can't be held any more.
    if (!isOpen(delivery)) return '–'
    const isReleasable = delivery.hold === 'staff' || delivery.hold === 'account_erased'
    const name = isReleasable ? 'release' : 'hold'
    return (
      <TextButton className={styles.act} onClick={() => onAct({ name, delivery })}>
        {t(`consoleDeliveries.${name}.action`)}
      </TextButton>
    )
  }
}
