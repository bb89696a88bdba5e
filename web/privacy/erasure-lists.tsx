import type { erasedCategories, RetainedData } from '#contract/privacy.ts'
import { useMessages } from '../i18n/messages.tsx'
import styles from './privacy.module.css'

type Erased = (typeof erasedCategories)[number]

/** The data that is erased immediately, and the data that must be retained by law and until when. */
export function ErasureLists({ erased, kept }: { erased: readonly Erased[]; kept: RetainedData }) {
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
        <KeptList kept={kept} />
      </section>
    </div>
  )
}

export function KeptList({ kept }: { kept: RetainedData }) {
  const { t, formatDate } = useMessages()
  return (
    <ul>
      {kept.map(({ what, until }) => (
        <li key={what}>{t(`account.erase.kept.${what}`, { date: formatDate(until) })}</li>
      ))}
      {kept.length === 0 && <li>{t('account.erase.kept.none')}</li>}
      <li>{t('account.erase.chain')}</li>
    </ul>
  )
}
