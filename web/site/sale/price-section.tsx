import type { PublicPayMethod, PublicSale } from '#contract/money/public-sale.ts'
import { priceOfToken } from '#contract/money/token-price.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { formatUtcMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import section from '../../kernel/ui/page-section.module.css'
import { Facts } from '../../kernel/ui/description-list.tsx'
import styles from './sale.module.css'

/** The price with each payment method, what is left, and when the sale closes. */
export function PriceSection({ sale }: { sale: PublicSale }) {
  const { t, language } = useMessages()
  const { closesAt, left, memberCap, payHours, payMethods, quoteMinutes } = sale
  // Nobody can order from a sale that is sold out.
  const isOpen = sale.state === 'open'
  return (
    <section id="price" className={`${section.section} ${styles.part}`} aria-labelledby="price-heading">
      <h2 id="price-heading">{t('sale.price.heading')}</h2>
      <div className={styles.body}>
        <ul className={styles.prices}>
          {payMethods.map((method) => (
            <li key={method.code}>
              <Price method={method} />
            </li>
          ))}
        </ul>
        {isOpen && <p className={styles.note}>{t('sale.price.intro', { minutes: quoteMinutes })}</p>}
        {left && <Left left={left} />}
        {isOpen && (
          <p>
            {closesAt === null
              ? t('sale.opened', { hours: payHours })
              : t('sale.closes', { time: formatUtcMoment(closesAt, language), hours: payHours })}
          </p>
        )}
        {memberCap !== null && <p>{t('sale.memberCap', { cap: formatDecimal(memberCap, language) })}</p>}
      </div>
    </section>
  )
}

function Price({ method }: { method: PublicPayMethod }) {
  const { t, language } = useMessages()
  const { code, currency, rate, minAmount, maxAmount } = method
  const token = priceOfToken(rate)
  const price = token && { price: formatDecimal(token.price, language), currency }
  return (
    <>
      <h3>{t('sale.price.method', { method: code })}</h3>
      <p className={styles.rate}>
        <span>{t('sale.price.rate', { currency })}</span>{' '}
        <strong>{t('sale.price.tokens', { rate: formatDecimal(rate, language) })}</strong>
      </p>
      <Facts
        facts={[
          ...(price
            ? [
                {
                  name: 'token',
                  label: t('sale.price.token'),
                  value: t(token.isExact ? 'sale.price.exact' : 'sale.price.about', price),
                },
              ]
            : []),
          {
            name: 'limits',
            label: t('sale.price.limits'),
            value: t('sale.price.range', {
              min: formatDecimal(minAmount, language),
              max: formatDecimal(maxAmount, language),
              currency,
            }),
          },
        ]}
      />
    </>
  )
}

function Left({ left: { cap, percent } }: { left: NonNullable<PublicSale['left']> }) {
  const { t, language } = useMessages()
  return (
    <div className={styles.left}>
      <h3>{t('sale.left.label')}</h3>
      <svg viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="2" />
        <rect className={styles.bar} width={percent} height="2" />
      </svg>
      <p>
        {t('sale.left', {
          percent: formatDecimal(percent, language),
          cap: formatDecimal(cap, language),
        })}
      </p>
    </div>
  )
}
