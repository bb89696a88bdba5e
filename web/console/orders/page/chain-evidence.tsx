import type { ChainPayment, ChainState } from '#contract/money/chain-payments.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { differenceOf } from '../../../orders/chain/chain-figures.ts'
import { ChainTransactions } from '../../../orders/chain/chain-transactions.tsx'
import { Confirmations } from '../../../orders/chain/confirmations.tsx'
import { OnExplorer } from '../../../orders/chain/explorer-link.tsx'
import { useCopying } from '../../../orders/copy-lines.tsx'
import { Button } from '../../../kernel/ui/button.tsx'
import { Message } from '../../../kernel/ui/form-status.tsx'
import { Tag, type TagColor } from '../../../kernel/ui/tag.tsx'
import { LabeledFacts } from '../../detail/labeled-facts.tsx'
import styles from '../orders.module.css'
import type { OrderContext } from './evidence.ts'
import { useOrderActions } from './order-actions.tsx'
import { Difference } from './order-facts.tsx'

export const chainLabels: Readonly<Record<ChainState, PlainKey>> = {
  awaited: 'consoleOrders.chain.awaited',
  seen: 'consoleOrders.chain.seenState',
  confirming: 'consoleOrders.chain.confirming',
  paid: 'consoleOrders.chain.paid',
  too_little: 'consoleOrders.chain.tooLittle',
  too_much: 'consoleOrders.chain.tooMuch',
  late: 'consoleOrders.chain.late',
  reorganised: 'consoleOrders.chain.reorganised',
}

const chainColors: Readonly<Record<ChainState, TagColor>> = {
  awaited: 'quiet',
  seen: 'yellow',
  confirming: 'yellow',
  paid: 'green',
  too_little: 'red',
  too_much: 'red',
  late: 'red',
  reorganised: 'red',
}

/** The payment on chain compared with the amount due, and each transaction. */
export function ChainEvidence({ of, chain }: { of: OrderContext; chain: ChainPayment }) {
  const { t, moment } = of
  const { copy, said } = useCopying()
  const { offered, ask, dialog } = useOrderActions(of)
  const { state, coin, address, transactions, lastLookedAt } = chain
  const { explorer } = of.record.detail
  return (
    <>
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
      <LabeledFacts
        facts={{
          'consoleOrders.difference': transactions.length > 0 && (
            <Difference value={differenceOf(chain)} unit={coin} />
          ),
          'consoleOrders.chain.address': (
            <div className={styles.lines}>
              <p className={styles.code}>
                <OnExplorer explorer={explorer} kind="address">
                  {address || '–'}
                </OnExplorer>
              </p>
              <p>{t(chain.isOwnAddress ? 'consoleOrders.chain.own' : 'consoleOrders.chain.shared')}</p>
            </div>
          ),
          'consoleOrders.chain.looked': lastLookedAt === null ? '–' : moment(lastLookedAt),
        }}
      />
      <ChainTransactions payment={chain} copy={copy} explorer={explorer} />
      <p className={styles.said} role="status">
        {said}
      </p>
      {chain.isReadyToComplete && offered.some(({ name }) => name === 'complete') && (
        <p className={styles.onward}>
          <Button kind="quiet" onClick={() => ask('complete')}>
            {t('consoleOrders.chain.complete')}
          </Button>
        </p>
      )}
      {dialog}
    </>
  )
}
