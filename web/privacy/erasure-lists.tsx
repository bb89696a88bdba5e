import type { erasedCategories, RetainedData, retainedCategories } from '#contract/privacy.ts'
import type { KeyTaking, PlainKey } from '../i18n/message-key.ts'
import { useWords } from '../i18n/words.tsx'
import styles from './privacy.module.css'

type Erased = (typeof erasedCategories)[number]

const erasedWords: Record<Erased, PlainKey> = {
  account: 'account.erase.gone.account',
  sessions: 'account.erase.gone.sessions',
  identity: 'account.erase.gone.identity',
  waitingPhotos: 'account.erase.gone.waitingPhotos',
  ambassador: 'account.erase.gone.ambassador',
  workingCopies: 'account.erase.gone.workingCopies',
  newsletter: 'account.erase.gone.newsletter',
  consents: 'account.erase.gone.consents',
  phrase: 'account.erase.gone.phrase',
  mails: 'account.erase.gone.mails',
}

const keptWords: Record<(typeof retainedCategories)[number], KeyTaking<'date'>> = {
  orders: 'account.erase.kept.orders',
  identity: 'account.erase.kept.identity',
  refusal: 'account.erase.kept.refusal',
  consents: 'account.erase.kept.consents',
}

/** What is erased at once, and what the law requires to be kept and until when. */
export function ErasureLists({ erased, kept }: { erased: readonly Erased[]; kept: RetainedData }) {
  const { t } = useWords()
  return (
    <div className={styles.lists}>
      <section>
        <h3>{t('account.erase.gone')}</h3>
        <ul>
          {erased.map((thing) => (
            <li key={thing}>{t(erasedWords[thing])}</li>
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
  const { t, formatDate } = useWords()
  return (
    <ul>
      {kept.map(({ what, until }) => (
        <li key={what}>{t(keptWords[what], { date: formatDate(until) })}</li>
      ))}
      {kept.length === 0 && <li>{t('account.erase.kept.none')}</li>}
      <li>{t('account.erase.chain')}</li>
    </ul>
  )
}
