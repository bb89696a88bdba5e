import type { ChainPayment } from '#contract/chain-payments.ts'
import { useWords } from '../../../i18n/words.tsx'
import { differenceOf } from '../../../orders/chain/chain-figures.ts'
import { standing } from '../../../orders/chain/chain-transactions.tsx'
import { Confirmations } from '../../../orders/chain/confirmations.tsx'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Message } from '../../../ui/form-status.tsx'
import { PagePart } from '../../../ui/page-head.tsx'
import { Table } from '../../../ui/table.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { chainColours, chainWords } from '../chain-words.ts'
import { Figure, Moment } from '../orders-list.tsx'
import styles from '../orders.module.css'
import { Difference } from './order-facts.tsx'

/** What its watcher found on the chain: the payment against what is due, and each transaction. */
export function ChainEvidence({ chain, onComplete }: { chain: ChainPayment; onComplete?: () => void }) {
  const words = useWords()
  const { t } = words
  const { state, coin, address, due, received, transactions, confirmationsNeeded, lastLookedAt } = chain
  return (
    <PagePart heading={t('consoleOrders.chain')} id="chain">
      <div className={styles.evidence} role="status">
        <Tag colour={chainColours[state]}>{t(chainWords[state])}</Tag>
        {chain.isReadyToComplete && <Tag colour="verdigris">{t('consoleOrders.chain.ready')}</Tag>}
      </div>
      {chain.isStale && (
        <Message kind="note">
          <p>{t('consoleOrders.chain.stale', { coin })}</p>
        </Message>
      )}
      {transactions.length > 0 && <Confirmations payment={chain} />}
      <Facts
        facts={[
          { name: 'due', label: t('consoleOrders.due'), value: <Figure value={due} unit={coin} /> },
          {
            name: 'received',
            label: t('consoleOrders.chain.received'),
            value: <Figure value={received} unit={coin} />,
          },
          ...(transactions.length === 0
            ? []
            : [
                {
                  name: 'difference',
                  label: t('consoleOrders.difference'),
                  value: <Difference value={differenceOf(chain)} unit={coin} />,
                },
              ]),
          {
            name: 'address',
            label: t('consoleOrders.chain.address'),
            value: (
              <div className={styles.lines}>
                <p className={styles.code}>{address || '–'}</p>
                <p>{t(chain.isOwnAddress ? 'consoleOrders.chain.own' : 'consoleOrders.chain.shared')}</p>
              </div>
            ),
          },
          {
            name: 'looked',
            label: t('consoleOrders.chain.looked'),
            value: lastLookedAt === null ? '–' : <Moment at={lastLookedAt} />,
          },
        ]}
      />
      {transactions.length > 0 && (
        <Table
          caption={t('chainPayment.transactions')}
          rows={transactions.map((each, index) => ({ ...each, key: `${each.id} ${index}` }))}
          rowKey={({ key }) => key}
          columns={[
            {
              name: 'id',
              heading: t('consoleOrders.txId'),
              cell: ({ id }) => <span className={styles.code}>{id}</span>,
            },
            {
              name: 'amount',
              heading: t('consoleOrders.amount'),
              isFigure: true,
              cell: ({ amount }) => <Figure value={amount} unit={coin} />,
            },
            {
              name: 'state',
              heading: t('consoleOrders.state'),
              cell: (transaction) => standing(words, transaction, confirmationsNeeded),
            },
            {
              name: 'height',
              heading: t('consoleOrders.chain.block'),
              isFigure: true,
              cell: ({ height }) => (height === null ? '–' : String(height)),
            },
            {
              name: 'seen',
              heading: t('consoleOrders.chain.seen'),
              cell: ({ firstSeenAt }) => <Moment at={firstSeenAt} />,
            },
          ]}
        />
      )}
      {chain.isReadyToComplete && onComplete && (
        <p className={styles.onward}>
          <Button kind="quiet" onClick={onComplete}>
            {t('consoleOrders.chain.complete')}
          </Button>
        </p>
      )}
    </PagePart>
  )
}
