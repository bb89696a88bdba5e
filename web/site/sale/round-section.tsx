import type { PublicSale } from '#contract/money/public-sale.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { formatUtcMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { describeBonus, describeVesting } from '../../kernel/rounds/describe-round.ts'
import { Facts } from '../../kernel/ui/description-list.tsx'
import section from '../../kernel/ui/page-section.module.css'
import styles from './sale.module.css'

/** The current round and the next one. Nothing if there are none, or if editors hide them. */
export function RoundSection({ sale: { round, next } }: { sale: PublicSale }) {
  const { t } = useMessages()
  if (!round && !next) return null
  return (
    <section id="rounds" className={`${section.section} ${styles.part}`} aria-labelledby="rounds-heading">
      <h2 id="rounds-heading">{t('sale.round.heading')}</h2>
      <div className={styles.body}>
        {round && <CurrentRound round={round} />}
        {next && <NextRound next={next} />}
      </div>
    </section>
  )
}

function CurrentRound({ round }: { round: NonNullable<PublicSale['round']> }) {
  const messages = useMessages()
  const { t, language } = messages
  const { closesAt, left, bonus, vesting } = round
  const facts = {
    until: closesAt !== null && formatUtcMoment(closesAt, language),
    left:
      left !== null &&
      t('sale.round.left.value', {
        percent: formatDecimal(left.percent, language),
        cap: formatDecimal(left.cap, language),
      }),
    bonus: bonus.length > 0 && describeBonus(bonus, messages),
    vesting: describeVesting(vesting, messages),
  }
  const shown = (['until', 'left', 'bonus', 'vesting'] as const).filter((name) => facts[name])
  return (
    <div>
      <h3>{t('sale.round.current', { name: round.name[language] })}</h3>
      <Facts facts={shown.map((name) => ({ name, label: t(`sale.round.${name}`), value: facts[name] }))} />
    </div>
  )
}

function NextRound({ next }: { next: NonNullable<PublicSale['next']> }) {
  const { t, language } = useMessages()
  return (
    <div>
      <h3>{t('sale.round.next', { name: next.name[language] })}</h3>
      <Facts
        facts={[
          { name: 'opens', label: t('sale.round.opens'), value: formatUtcMoment(next.opensAt, language) },
          ...next.payMethods.map(({ code, currency, rate }) => ({
            name: code,
            label: t('sale.price.method', { method: code }),
            value: t('sale.round.price.value', { currency, rate: formatDecimal(rate, language) }),
          })),
        ]}
      />
    </div>
  )
}
