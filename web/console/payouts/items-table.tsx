import type { PayoutDetail, PayoutItem } from '#contract/money/payouts.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { OnExplorer } from '../../orders/chain/explorer-link.tsx'
import { ListTime } from '../list/list-time.tsx'
import { Amount } from '../amount.tsx'
import { itemStateLabels } from './payout-labels.ts'
import { WarningTags } from './payout-tags.tsx'
import styles from './payouts.module.css'

/** The deliveries of a run in the order of the hash, with their transactions. */
export function ItemsTable({ of: { list, explorer, watch } }: { of: PayoutDetail }) {
  const { t, formatNumber } = useMessages()
  return (
    <PagePart id="items" heading={t('consolePayouts.items')}>
      <Table
        caption={t('consolePayouts.items')}
        rows={list}
        rowKey={({ deliveryId, position }) => `${deliveryId} ${position}`}
        columns={[
          {
            name: 'position',
            heading: t('consolePayouts.position'),
            isFigure: true,
            cell: ({ position }) => formatNumber(position),
          },
          {
            name: 'reference',
            heading: t('consolePayouts.reference'),
            cell: (item) => <Delivery item={item} />,
          },
          {
            name: 'address',
            heading: t('consolePayouts.address'),
            cell: ({ address, warnings, state }) => (
              <div>
                <span className={styles.code}>{address}</span>
                {(state === 'in_run' || state === 'sent') && <WarningTags warnings={warnings} />}
              </div>
            ),
          },
          {
            name: 'amount',
            heading: t('consolePayouts.amount'),
            isFigure: true,
            cell: ({ amount }) => <Amount value={amount} />,
          },
          {
            name: 'state',
            heading: t('consolePayouts.state'),
            cell: (item) => <ItemState item={item} watch={watch} />,
          },
          {
            name: 'txId',
            heading: t('consolePayouts.txId'),
            cell: ({ txId }) =>
              txId === '' ? (
                '–'
              ) : (
                <span className={styles.code}>
                  <OnExplorer explorer={explorer} kind="tx">
                    {txId}
                  </OnExplorer>
                </span>
              ),
          },
        ]}
      />
    </PagePart>
  )
}

function Delivery({ item: { reference, orderId, orderReference, memberEmail } }: { item: PayoutItem }) {
  return (
    <div className={styles.lines}>
      <p className={styles.reference}>{reference}</p>
      <p>
        <a className={styles.reference} href={`${pathTo('console.order', { id: orderId })}#deliveries`}>
          {orderReference}
        </a>
      </p>
      <p>
        <Address email={memberEmail} />
      </p>
    </div>
  )
}

function ItemState({ item, watch }: { item: PayoutItem; watch: PayoutDetail['watch'] }) {
  const { t, language, formatNumber } = useMessages()
  const { state, sentAt, sentBy, confirmedAt, confirmedBy } = item
  const { words, colour } = itemStateLabels[state]
  const at = confirmedAt ?? sentAt
  const by = confirmedAt ? confirmedBy : sentBy
  const depth = item.height === null || watch?.tipHeight == null ? null : watch.tipHeight - item.height + 1
  return (
    <div className={styles.lines}>
      <p>
        <Tag colour={colour}>{t(words)}</Tag>
      </p>
      {at && (
        <p>
          <ListTime at={at} />
          {by && <> · {staffName(by.name, language)}</>}
        </p>
      )}
      {item.assignReason && <p>{t('consolePayouts.assigned', { reason: item.assignReason })}</p>}
      {item.height !== null && <p>{t('consolePayouts.block', { height: formatNumber(item.height) })}</p>}
      {state === 'sent' && watch && depth !== null && depth > 0 && (
        <p>
          {t('consolePayouts.confirmations', {
            count: Math.min(depth, watch.confirmationsNeeded),
            all: watch.confirmationsNeeded,
          })}
        </p>
      )}
    </div>
  )
}
