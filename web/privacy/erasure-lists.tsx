import type { erasedCategories, RetainedData } from '#contract/people/privacy.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import styles from './privacy.module.css'

type Erased = (typeof erasedCategories)[number]

/** The data that is erased immediately, and the data that must be retained by law and until when. */
export function ErasureLists({
  erased,
  retainedData,
}: {
  erased: readonly Erased[]
  retainedData: RetainedData
}) {
  const { t } = useMessages()
  return (
    <div className={styles.lists}>
      <section>
        <h3>{t('account.erase.gone')}</h3>
        <ul>
          {erased.map((thing) => (
            <li key={thing}>{t(`account.erase.gone.${thing}`)}</li>
          ))}
        </ul>
      </section>
      <section>
        <h3>{t('account.erase.kept')}</h3>
        <RetainedDataList retainedData={retainedData} />
      </section>
    </div>
  )
}

export function RetainedDataList({ retainedData }: { retainedData: RetainedData }) {
  const { t, formatDate } = useMessages()
  return (
    <ul>
      {retainedData.map(({ what, until }) => (
        <li key={what}>{t(`account.erase.kept.${what}`, { date: formatDate(until) })}</li>
      ))}
      {retainedData.length === 0 && <li>{t('account.erase.kept.none')}</li>}
      <li>{t('account.erase.chain')}</li>
    </ul>
  )
}
