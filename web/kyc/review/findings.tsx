import type { KycCaseDetail } from '#contract/kyc-review.ts'
import type { MessageKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'

type Why = KycCaseDetail['duplicates'][number]['why'][number]
const whyWords: Readonly<Record<Why, MessageKey>> = {
  document: 'review.why.document',
  ethAddress: 'review.why.ethAddress',
  btcAddress: 'review.why.btcAddress',
  email: 'review.why.email',
}

/** What the officer should know of other members and of lists. */
export function Findings({ shown: { duplicates, screening } }: { shown: KycCaseDetail }) {
  const { t } = useWords()
  return (
    <>
      <h3>{t('review.duplicates')}</h3>
      {duplicates.length === 0 && <p>{t('review.duplicates.none')}</p>}
      <ul>
        {duplicates.map(({ id, memberId, why }) => (
          <li key={id}>
            <code>{memberId}</code> {why.map((each) => t(whyWords[each])).join(t('forms.missing.separator'))}
          </li>
        ))}
      </ul>
      <h3>{t('review.screening')}</h3>
      {screening.length === 0 && <p>{t('review.screening.none')}</p>}
      <ul>
        {screening.map(({ name, born, score, list }) => (
          <li key={`${list} ${name} ${born}`}>
            {t('review.screening.match', { name, born: born || '–', score, list })}
          </li>
        ))}
      </ul>
    </>
  )
}
