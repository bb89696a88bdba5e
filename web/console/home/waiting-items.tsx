import { type AttentionItem, type Waiting, waitingCountMax } from '#contract/console/console-home.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { formatWait } from '../../kernel/i18n/format-wait.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { waitingPlaces } from './waiting-places.ts'
import styles from './home.module.css'

export type WaitingItem = Waiting & { what: AttentionItem }

/** Leaves out the total of the orders, which is only for the navigation. */
export const itemsOf = (waiting: readonly Waiting[]): WaitingItem[] =>
  waiting.filter((each): each is WaitingItem => each.count > 0 && each.what !== 'orders_any')

/** Numbers that link to the lists they count. */
export function WaitingItems({ items, labelledBy }: { items: readonly WaitingItem[]; labelledBy: string }) {
  return (
    <ul className={styles.waiting} aria-labelledby={labelledBy}>
      {items.map((each) => (
        <li key={each.what}>
          <Item {...each} />
        </li>
      ))}
    </ul>
  )
}

function Item({ what, count, oldestAt }: WaitingItem) {
  const { t, language, formatNumber } = useMessages()
  const { path, isAhead } = waitingPlaces[what]
  const address = path()
  const age = ageOf(oldestAt)
  const content = (
    <>
      <strong>
        {count > waitingCountMax
          ? t('consoleHome.waiting.more', { count: formatNumber(waitingCountMax) })
          : formatNumber(count)}
      </strong>{' '}
      <span className={styles.label}>{t(`consoleHome.waiting.${what}`)}</span>{' '}
      {age > 0 && (
        <span className={styles.age}>
          {t(isAhead ? 'consoleHome.waiting.overdue' : 'consoleHome.waiting.oldest', {
            age: formatWait(age / SECOND, language),
          })}
        </span>
      )}
    </>
  )
  return address ? <a href={address}>{content}</a> : <p>{content}</p>
}

/** Age in milliseconds, rounded to the displayed unit: waiting times up, ages down. */
function ageOf(since: string | null): number {
  const passed = since === null ? 0 : Date.now() - Date.parse(since)
  const unit = passed < 2 * HOUR ? MINUTE : passed < 2 * DAY ? HOUR : DAY
  return Math.floor(passed / unit) * unit
}
