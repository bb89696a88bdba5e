import type { ChainPayment } from '#contract/chain-payments.ts'
import type { OrderPayment } from '#contract/orders.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages, FormattedMessage } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Message } from '../../ui/form-status.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { hasArrived } from '../chain/chain-figures.ts'
import { CopyLines, Ends, useCopying } from '../copy-lines.tsx'
import { formatDecimal } from '../format-decimal.ts'
import styles from './payment-instructions.module.css'

/**
 * Where and how much to pay, to copy, to open in a wallet, or to scan. Collapsed once it is paid, so that nobody pays
 * twice.
 */
export function PaymentInstructions({
  payment,
  chain = null,
  isDisputed = false,
}: {
  payment: OrderPayment
  /** The payment seen on its chain, if the chain is monitored. */
  chain?: ChainPayment | null
  isDisputed?: boolean
}) {
  const { t, language, formatMoment } = useMessages()
  const { copy, said } = useCopying()
  const { receivingAddress, amount, payMethod, currency, payBefore, reference, uri, qrSvg } = payment
  const isRecorded = payment.hasRecordedPayment
  const isPaymentDropped = chain !== null && chain.droppedAt !== null
  const isNamed =
    (payment.txId !== '' && !isPaymentDropped) || isDisputed || (chain !== null && hasArrived(chain))
  const deadline = payBefore !== null && !isNamed && (
    <p className={styles.deadline}>
      {t(chain?.isOwnAddress ? 'chainPayment.deadline' : 'orders.pay.deadline', {
        time: formatMoment(payBefore),
      })}
    </p>
  )
  const recorded = isRecorded && (
    <div className={styles.recorded}>
      <Message kind="note">
        <p>{t('orders.recorded')}</p>
        {receivingAddress !== '' && <p>{t('orders.recorded.rest')}</p>}
      </Message>
    </div>
  )
  // The chain status asks for the missing amount, so the full amount must not be shown.
  if (chain?.state === 'too_little' && !isRecorded) return null
  if (receivingAddress === '' && isRecorded)
    return (
      <PagePart id="how-to-pay" heading={t('orders.recorded.heading')}>
        {recorded}
      </PagePart>
    )
  if (receivingAddress === '')
    return isNamed ? null : (
      <PagePart id="how-to-pay" heading={t('orders.pay.heading')}>
        {deadline}
        <p className={styles.none}>{t(payBefore === null ? 'orders.pay.none' : 'orders.pay.agreed')}</p>
      </PagePart>
    )
  const lines = [
    // The remaining amount is less than the amount of the order.
    ...(amount === null || isRecorded
      ? []
      : [
          {
            name: t('orders.pay.amount'),
            text: amount,
            shown: `${formatDecimal(amount, language)} ${currency}`,
          },
        ]),
    {
      name: t('orders.pay.address', { method: payMethod }),
      text: receivingAddress,
      shown: <Ends text={receivingAddress} />,
    },
    { name: t('orders.reference'), text: reference, shown: reference },
  ]
  const instructions = (
    <>
      <div className={styles.payment}>
        <CopyLines lines={lines} copy={copy} />
        <div className={styles.scan}>
          {qrSvg && (
            <img
              src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
              alt={t('orders.pay.qr', { text: uri ?? receivingAddress })}
              width="208"
              height="208"
            />
          )}
          {uri && (
            <ButtonLink kind="quiet" href={uri}>
              {t('orders.pay.open')}
            </ButtonLink>
          )}
        </div>
      </div>
      <p className={styles.help}>
        {t('orders.pay.addressHelp')}{' '}
        <FormattedMessage
          k="orders.pay.official"
          tags={{ link: (words) => <a href={pathTo('official')}>{words}</a> }}
        />
      </p>
      <p className={styles.help} role="status">
        {said}
      </p>
    </>
  )
  const folded = (summary: PlainKey) => (
    <details className={styles.again}>
      <summary>{t(summary)}</summary>
      {instructions}
    </details>
  )
  if (isRecorded)
    return (
      <PagePart id="how-to-pay" heading={t('orders.recorded.heading')}>
        {recorded}
        {isNamed ? folded('orders.recorded.show') : instructions}
      </PagePart>
    )
  if (isNamed) return folded('orders.pay.again')
  return (
    <PagePart id="how-to-pay" heading={t('orders.pay.heading')} lead={t('orders.pay.lead')}>
      {deadline}
      {instructions}
    </PagePart>
  )
}
