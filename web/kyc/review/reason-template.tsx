import type { Language } from '#contract/fields.ts'
import type { ReasonUse } from '#contract/kyc-review.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
import { useWords } from '../../i18n/words.tsx'
import { Select } from '../../ui/field.tsx'
import { loadReasons } from './load-reasons.ts'

/** Text templates, listed by topic in the officer's language; the text inserted is in the applicant's. */
export function ReasonTemplate({
  of,
  language,
  onChoose,
}: {
  of: ReasonUse
  language: Language
  onChoose: (text: string) => void
}) {
  const { t, language: own } = useWords()
  const loaded = useLoaded('review-reasons', loadReasons)
  const reasons = loaded.state === 'ready' ? loaded.data : []
  const fitting = reasons.filter((reason) => reason.for.includes(of))
  return (
    <Select
      label={t('review.reason.template')}
      help={t('review.reason.template.help')}
      value=""
      onChange={({ target }) => {
        const chosen = fitting.find(({ id }) => id === target.value)
        if (chosen) onChoose(chosen[language].text)
      }}
    >
      <option value="">{t('review.reason.template.none')}</option>
      {fitting.map((reason) => (
        <option key={reason.id} value={reason.id}>
          {reason[own].label}
        </option>
      ))}
    </Select>
  )
}
