import type { ChainPayment } from '#contract/money/chain-payments.ts'
import type { OrderPayment } from '#contract/money/orders.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { SentenceSpace, useMessages, FormattedMessage } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { ButtonLink } from '../../kernel/ui/button.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { hasArrived } from '../chain/chain-figures.ts'
import { CopyLines, Ends, useCopying } from '../copy-lines.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
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
  // The chain status asks for the missing amount, so the full amount must not be shown.
  if (chain?.state === 'too_little' && !payment.hasRecordedPayment) return null
  const isNamed = isDisputed || hasNamedPayment(payment, chain)
  if (payment.hasRecordedPayment) return <RestOfPayment payment={payment} isNamed={isNamed} />
  if (!isNamed) return <WholePayment payment={payment} />
  return payment.receivingAddress === '' ? null : (
    <FoldedInstructions payment={payment} summary="orders.pay.again" />
  )
}

/** Whether a transaction is known that may pay the order. */
function hasNamedPayment({ txId }: OrderPayment, chain: ChainPayment | null): boolean {
  if (chain === null) return txId !== ''
  return hasArrived(chain) || (txId !== '' && chain.droppedAt === null)
}

/** What remains to pay after staff recorded a payment. */
function RestOfPayment({ payment, isNamed }: { payment: OrderPayment; isNamed: boolean }) {
  const { t } = useMessages()
  if (payment.receivingAddress === '') return null
  return (
    <PagePart id="how-to-pay" heading={t('orders.recorded.restHeading')}>
      <p className={styles.rest}>{t('orders.recorded.rest')}</p>
      {isNamed ? (
        <FoldedInstructions payment={payment} summary="orders.recorded.show" />
      ) : (
        <Instructions payment={payment} />
      )}
    </PagePart>
  )
}

function WholePayment({ payment }: { payment: OrderPayment }) {
  const { t } = useMessages()
  if (payment.receivingAddress === '') return null
  return (
    <PagePart id="how-to-pay" heading={t('orders.pay.heading')} lead={t('orders.pay.lead')}>
      <Instructions payment={payment} />
    </PagePart>
  )
}

function FoldedInstructions({ payment, summary }: { payment: OrderPayment; summary: PlainKey }) {
  const { t } = useMessages()
  return (
    <details className={styles.again}>
      <summary>{t(summary)}</summary>
      <Instructions payment={payment} />
    </details>
  )
}

function Instructions({ payment }: { payment: OrderPayment }) {
  const { t } = useMessages()
  const { copy, said } = useCopying()
  const { receivingAddress, uri, qrSvg } = payment
  return (
    <>
      <div className={styles.payment}>
        <CopyLines lines={useLines(payment)} copy={copy} />
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
        {t('orders.pay.addressHelp')}
        <SentenceSpace />
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
}

/** The amount, the address, and the reference, each to copy. */
function useLines({
  amount,
  currency,
  hasRecordedPayment,
  payMethod,
  receivingAddress,
  reference,
}: OrderPayment) {
  const { t, language } = useMessages()
  const lines = [
    {
      name: t('orders.pay.address', { method: payMethod }),
      text: receivingAddress,
      shown: <Ends text={receivingAddress} />,
    },
    { name: t('orders.reference'), text: reference, shown: reference },
  ]
  // After a recorded payment, less than the amount of the order remains.
  if (amount === null || hasRecordedPayment) return lines
  const shown = `${formatDecimal(amount, language)} ${currency}`
  return [{ name: t('orders.pay.amount'), text: amount, shown }, ...lines]
}
