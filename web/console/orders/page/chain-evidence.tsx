import type { ChainPayment } from '#contract/chain-payments.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { differenceOf } from '../../../orders/chain/chain-figures.ts'
import { ChainTransactions } from '../../../orders/chain/chain-transactions.tsx'
import { Confirmations } from '../../../orders/chain/confirmations.tsx'
import { useCopying } from '../../../orders/copy-lines.tsx'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/description-list.tsx'
import { Message } from '../../../ui/form-status.tsx'
import { PagePart } from '../../../ui/page-head.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { chainColors, chainLabels } from '../chain-labels.ts'
import { Moment } from '../orders-list.tsx'
import styles from '../orders.module.css'
import { Difference } from './order-facts.tsx'

/** The payment on chain compared with the amount due, and each transaction. */
export function ChainEvidence({ chain, onComplete }: { chain: ChainPayment; onComplete?: () => void }) {
  const { t } = useMessages()
  const { copy, said } = useCopying()
  const { state, coin, address, transactions, lastLookedAt } = chain
  return (
    <PagePart heading={t('consoleOrders.chain')} id="chain">
      <div className={styles.evidence} role="status">
        <Tag colour={chainColors[state]}>{t(chainLabels[state])}</Tag>
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
      <ChainTransactions payment={chain} copy={copy} />
      <p className={styles.said} role="status">
        {said}
      </p>
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
