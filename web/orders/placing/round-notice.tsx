import { bonusFor } from '#contract/money/round-bonus.ts'
import type { Sale } from '#contract/money/sale.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { FormattedMessage, useMessages } from '../../kernel/i18n/messages.tsx'
import { describeBonus, describeVesting } from '../../kernel/rounds/describe-round.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import styles from './placing.module.css'

type Round = NonNullable<Sale['round']>

/** The round that an order belongs to, what is left of it, and what comes next. */
export function RoundNotice({ sale: { round, next } }: { sale: Sale }) {
  if (!round && !next) return null
  return (
    <div className={styles.round}>
      {round && <CurrentRound round={round} />}
      {next && <NextRound next={next} />}
    </div>
  )
}

function CurrentRound({ round }: { round: Round }) {
  const messages = useMessages()
  const { t, language } = messages
  const { closesAt, left, memberLeft, bonus, vesting } = round
  const tokens = (quantity: string) =>
    t('orders.round.tokens', { quantity: formatDecimal(quantity, language) })
  const facts = {
    left: left !== null && tokens(left),
    memberLeft: memberLeft !== null && tokens(memberLeft),
    until: closesAt !== null && formatMoment(closesAt, language),
    bonus: bonus.length > 0 && describeBonus(bonus, messages),
    vesting: describeVesting(vesting, messages),
  }
  const shown = (['left', 'memberLeft', 'until', 'bonus', 'vesting'] as const).filter((name) => facts[name])
  return (
    <section aria-labelledby="round">
      <h2 id="round">{t('orders.round', { name: round.name[language] })}</h2>
      <Facts facts={shown.map((name) => ({ name, label: t(`orders.round.${name}`), value: facts[name] }))} />
    </section>
  )
}

function NextRound({ next }: { next: NonNullable<Sale['next']> }) {
  const messages = useMessages()
  const { t, language, joinNames } = messages
  const prices = next.payMethods.map(({ currency, rate }) =>
    t('orders.rate.value', { method: currency, rate: formatDecimal(rate, language) }),
  )
  return (
    <p className={styles.small}>
      {t(prices.length > 0 ? 'orders.round.next.prices' : 'orders.round.next', {
        name: next.name[language],
        time: formatMoment(next.opensAt, language),
        prices: joinNames(prices),
      })}
    </p>
  )
}

/** Why the member can't order in the current round, and what they can do. */
export function NotAdmitted({ sale: { why } }: { sale: Sale }) {
  return (
    <Message kind="note">
      <p>
        <FormattedMessage
          k={why === 'country' ? 'orders.round.why.country' : 'orders.round.why.listed'}
          tags={{ link: (words) => <a href={pathTo('account.messages')}>{words}</a> }}
        />
      </p>
    </Message>
  )
}

/** Whether the round, or the member's share of it, has less left than the smallest order buys. */
export function findSpent({ round, payMethods }: Sale): 'round' | 'member' | null {
  if (!round) return null
  const smallestOrders = payMethods.map(
    ({ minAmount, rate }) => bonusFor(parseDecimal(minAmount), parseDecimal(rate), round.bonus).tokens,
  )
  const isSpent = (left: string | null): boolean =>
    left !== null && smallestOrders.every((tokens) => tokens > parseDecimal(left))
  if (isSpent(round.left)) return 'round'
  return isSpent(round.memberLeft) ? 'member' : null
}
