import type { PublicSale } from '#contract/money/public-sale.ts'
import { formatDecimal } from '../../../kernel/i18n/format-decimal.ts'
import { formatUtcMoment } from '../../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { pathTo } from '../../../kernel/routes/routes.ts'
import { ButtonLink } from '../../../kernel/ui/button.tsx'
import { HomeSection } from '../home-section.tsx'
import styles from './home-sale.module.css'

/** The state of the sale, and the current price for each payment method. */
export function HomeSale({ sale }: { sale: PublicSale }) {
  const { t, language } = useMessages()
  const { state, opensAt, closesAt, payMethods, left } = sale
  const until =
    closesAt === null
      ? t('home.sale.open')
      : t('home.sale.openUntil', { time: formatUtcMoment(closesAt, language) })
  const intro =
    state === 'open'
      ? until
      : state === 'soldOut'
        ? t('home.sale.soldOut')
        : t('home.sale.upcoming', { time: formatUtcMoment(opensAt ?? '', language) })
  return (
    <HomeSection
      id="sale"
      heading={t('home.sale.heading')}
      intro={intro}
      className={styles.sale}
      headClass={styles.head}
    >
      <div className={styles.body}>
        {state === 'open' && (
          <ul className={styles.prices}>
            {payMethods.map(({ code, currency, rate }) => (
              <li key={code}>{t('home.sale.price', { currency, rate: formatDecimal(rate, language) })}</li>
            ))}
          </ul>
        )}
        {state === 'open' && left && (
          <p className={styles.left}>
            {t('home.sale.left', {
              percent: formatDecimal(left.percent, language),
              cap: formatDecimal(left.cap, language),
            })}
          </p>
        )}
        <Rounds sale={sale} />
        <div>
          <ButtonLink kind="quiet" href={pathTo('sale')}>
            {t(state === 'open' ? 'home.sale.link' : 'home.sale.remind')}
          </ButtonLink>
        </div>
      </div>
    </HomeSection>
  )
}

/** The round that is open now, and the one that opens next. */
function Rounds({ sale: { state, round, next } }: { sale: PublicSale }) {
  const { t, language } = useMessages()
  return (
    <>
      {state === 'open' && round && (
        <p className={styles.left}>
          {round.closesAt === null
            ? t('home.sale.round', { name: round.name[language] })
            : t('home.sale.roundUntil', {
                name: round.name[language],
                time: formatUtcMoment(round.closesAt, language),
              })}
        </p>
      )}
      {next && (
        <p className={styles.left}>
          {t('home.sale.nextRound', {
            name: next.name[language],
            time: formatUtcMoment(next.opensAt, language),
          })}
        </p>
      )}
    </>
  )
}
