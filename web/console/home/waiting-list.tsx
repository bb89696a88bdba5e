import { DAY, HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import { listNeedsAttention, waitingCountMax, type Waiting } from '#contract/console-home.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { formatWait } from '../../i18n/format-wait.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Empty } from '../../ui/empty.tsx'
import styles from './home.module.css'
import { waitingPlaces } from './waiting-places.ts'

/** Numbers that link to the lists they count. */
export function WaitingList() {
  const { t } = useMessages()
  return (
    <section className={styles.section} aria-labelledby="waiting">
      <h2 id="waiting">{t('consoleHome.waiting')}</h2>
      <Waits />
    </section>
  )
}

function Waits() {
  const { t } = useMessages()
  const loaded = useLoaded('waiting', () => call(listNeedsAttention, {}))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleHome.waiting.failed')} />
  const isNothing = loaded.data.every(({ count }) => count === 0)
  return (
    <>
      {isNothing && <Empty role="status" title={t('consoleHome.waiting.none')} />}
      {loaded.data.length > 0 && (
        <ul className={styles.waiting}>
          {loaded.data.map((waiting) => (
            <li key={waiting.what}>
              <One {...waiting} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function One({ what, count, oldestAt }: Waiting) {
  const { t, language, formatNumber } = useMessages()
  const { label, path, isAhead } = waitingPlaces[what]
  const address = path()
  const age = ageOf(oldestAt)
  const content = (
    <>
      <strong>
        {count > waitingCountMax
          ? t('consoleHome.waiting.more', { count: formatNumber(waitingCountMax) })
          : formatNumber(count)}
      </strong>{' '}
      <span className={styles.label}>{t(label)}</span>{' '}
      {age > 0 && (
        <span className={styles.age}>
          {t(isAhead ? 'consoleHome.waiting.overdue' : 'consoleHome.waiting.oldest', {
            age: formatWait(age / SECOND, language),
          })}
        </span>
      )}
    </>
  )
  const isNone = count === 0 || undefined
  return address ? (
    <a href={address} data-none={isNone}>
      {content}
    </a>
  ) : (
    <p data-none={isNone}>{content}</p>
  )
}

/** Age in milliseconds, rounded to the displayed unit: waiting times up, ages down. */
function ageOf(since: string | null): number {
  const passed = since === null ? 0 : Date.now() - Date.parse(since)
  const unit = passed < 2 * HOUR ? MINUTE : passed < 2 * DAY ? HOUR : DAY
  return Math.floor(passed / unit) * unit
}
