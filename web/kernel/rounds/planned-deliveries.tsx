import { useId, useState } from 'react'
import { dueAfter, type Tranche } from '#contract/money/vesting.ts'
import { formatDecimal } from '../i18n/format-decimal.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/description-list.tsx'
import { formatPeriod } from './describe-round.ts'
import styles from './planned-deliveries.module.css'

const shownMax = 6

/** When which part of the tokens of an order is due, with the dates if the time of completion is given. */
export function PlannedDeliveries({
  parts,
  heading,
  completedAt,
}: {
  parts: readonly Tranche[]
  heading: string
  completedAt?: Date
}) {
  const { t, language, formatDate, addNote } = useMessages()
  const id = useId()
  const [isWhole, setWhole] = useState(false)
  const due = ({ dueAfter: { count, unit } }: Tranche): string => {
    const words =
      count === 0
        ? t('saleRounds.due.first')
        : t('saleRounds.due.after', { period: formatPeriod(count, unit, language) })
    return completedAt
      ? addNote(words, formatDate(dueAfter(completedAt, { after: count, unit }).toISOString()))
      : words
  }
  return (
    <section className={styles.planned} aria-labelledby={id}>
      <h3 id={id}>{heading}</h3>
      <Facts
        facts={(isWhole ? parts : parts.slice(0, shownMax)).map((part) => ({
          name: `${part.dueAfter.count} ${part.dueAfter.unit}`,
          label: due(part),
          value: t('saleRounds.amount', { quantity: formatDecimal(part.amount, language) }),
        }))}
      />
      {parts.length > shownMax && !isWhole && (
        <div>
          <Button kind="quiet" onClick={() => setWhole(true)}>
            {t('saleRounds.all', { count: parts.length })}
          </Button>
        </div>
      )}
    </section>
  )
}
