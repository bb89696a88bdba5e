import type { ReactNode } from 'react'
import type { ChainPayment } from '#contract/money/chain-payments.ts'
import type { Order } from '#contract/money/orders.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { FormattedMessage, useMessages } from '../../kernel/i18n/messages.tsx'
import { contactTag } from '../../conversations/contact-tag.tsx'
import { TextButton } from '../../kernel/ui/button.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { amountApart } from '../chain/chain-figures.ts'
import styles from '../chain/chain.module.css'
import { ChainTransactions } from '../chain/chain-transactions.tsx'
import { chainText, chainTitle, isDropped } from '../chain/chain-labels.ts'
import { Confirmations } from '../chain/confirmations.tsx'
import { CopyLines, Ends, useCopying } from '../copy-lines.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import type { Following } from './use-followed.ts'

type Props = {
  chain: ChainPayment
  order: Order
  following: Following
  /** Whether the order's next step depends on the chain. */
  isNext: boolean
  /** Actions for a payment that the network has dropped. */
  ifDropped?: ReactNode
}

/** The texts that ask for the whole payment. */
const toPay: readonly string[] = ['chainPayment.awaited.own', 'chainPayment.awaited.shared']

/** The payment seen on its chain, what that means, and what the member should do. */
export function ChainPart({ chain, order, following, isNext, ifDropped }: Props) {
  const { t, language } = useMessages()
  const { copy, said } = useCopying()
  const { state, coin, address, due, transactions } = chain
  const figure = (amount: string) => `${formatDecimal(amount, language)} ${coin}`
  const apart = amountApart(chain)
  const isClosed = order.status === 'completed'
  const isToPay = toPay.includes(chainText(chain, order))
  return (
    <PagePart id="chain-payment" heading={t(isNext ? 'orders.now.heading' : 'chainPayment.heading')}>
      {/* The confirmations are outside the status region, because they would be announced with every block. */}
      <div className={styles.now} role="status" data-state={state}>
        <p className={styles.title}>
          {isToPay ? t('orders.now.pay', { amount: figure(due) }) : t(chainTitle(chain, order))}
        </p>
        <p>
          <FormattedMessage
            k={chainText(chain, order)}
            values={{ due: figure(due), apart: figure(apart), needed: chain.confirmationsNeeded }}
            tags={contactTag('here')}
          />
        </p>
        {isNext && <Deadline chain={chain} order={order} />}
        {chain.isStale && !isClosed && (
          <Message kind="note">
            <p>{t('chainPayment.stale', { coin })}</p>
          </Message>
        )}
      </div>
      {isDropped(chain, order) && ifDropped}
      {state === 'too_little' && address !== '' && (
        <CopyLines
          copy={copy}
          lines={[
            { name: t('chainPayment.missing'), text: apart, shown: figure(apart) },
            {
              name: t('orders.pay.address', { method: order.payMethod }),
              text: address,
              shown: <Ends text={address} />,
            },
          ]}
        />
      )}
      {transactions.length > 0 && !isClosed && <Confirmations payment={chain} />}
      <ChainTransactions payment={chain} copy={copy} />
      <p className={styles.said} role="status">
        {said}
      </p>
      {!isClosed && <LastPoll chain={chain} following={following} />}
    </PagePart>
  )
}

/** Shown while the payment, or a part of it, is missing and can be sent. */
function Deadline({ chain, order }: Pick<Props, 'chain' | 'order'>) {
  const { t, language } = useMessages()
  const isPart = chain.state === 'too_little' && chain.address !== ''
  const isWhole = toPay.includes(chainText(chain, order)) || isDropped(chain, order)
  if (order.payBefore === null || !(isPart || isWhole)) return null
  const time = formatMoment(order.payBefore, language)
  return <p>{t(isPart ? 'chainPayment.deadline.rest' : 'chainPayment.deadline', { time })}</p>
}

function LastPoll({
  chain: { lastLookedAt },
  following: { isCutOff, isResting, pollNow },
}: Pick<Props, 'chain' | 'following'>) {
  const { t, language } = useMessages()
  return (
    <div className={styles.looked}>
      <p>
        {lastLookedAt === null
          ? t('chainPayment.looked.never')
          : t('chainPayment.looked', { time: formatMoment(lastLookedAt, language) })}
      </p>
      <TextButton onClick={pollNow}>{t('chainPayment.again')}</TextButton>
      <p role="status">{isCutOff ? t('chainPayment.cutOff') : isResting ? t('chainPayment.resting') : ''}</p>
    </div>
  )
}
