import { useMessages } from '../../../kernel/i18n/messages.tsx'
import type { HomeFacts } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import styles from './coin-facts.module.css'

/** Styled like a ledger page: the first figure spans the row, and the others are in columns. */
export function CoinFacts({ facts }: { facts: HomeFacts['coinFacts'] }) {
  const { t } = useMessages()
  const dates = new Map(facts.flatMap(({ date }) => (date ? [[date.iso, date.text]] : [])))
  // If all figures have the same date, it is shown once.
  const isShared = dates.size === 1
  return (
    <HomeSection id="coin-facts" heading={t('home.coinFacts.heading')} intro={t('home.coinFacts.intro')}>
      {isShared && <Updated dates={dates} />}
      <dl className={styles.facts} data-columns={columnsFor(facts.length - 1)}>
        {facts.map(({ id, label, value, unit, note, date }) => (
          <div key={id} className={styles.fact}>
            <dt>{label}</dt>
            <dd className={styles.figure}>
              <span>{value}</span>
              {unit && <span className={styles.unit}>{unit}</span>}
            </dd>
            {(note || (date && !isShared)) && (
              <dd className={styles.note}>
                {note} {date && !isShared && t('home.coinFacts.updated', { date: date.text })}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </HomeSection>
  )
}

function Updated({ dates }: { dates: ReadonlyMap<string, string> }) {
  const { t } = useMessages()
  return [...dates].map(([iso, date]) => (
    <p key={iso} className={styles.updated}>
      <time dateTime={iso}>{t('home.coinFacts.updated', { date })}</time>
    </p>
  ))
}

/** Returns three columns, or two if three would leave a single entry in the last row and two would not. */
export const columnsFor = (count: number): 2 | 3 => (count > 3 && count % 3 === 1 && count % 2 === 0 ? 2 : 3)
