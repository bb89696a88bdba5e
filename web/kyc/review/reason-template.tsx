import type { Language } from '#contract/platform/fields.ts'
import { type ReasonUse, listKycReasons, type KycReason } from '#contract/people/kyc-review.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Select } from '../../kernel/ui/field.tsx'
import { call } from '../../kernel/call/call.ts'
import { loadedFacts } from '../../kernel/content/known-content.ts'

const file = 'facts/review-reasons.json'

/** Requested once, because a form that offers them opens for each photo. */
async function loadReasons(): Promise<readonly KycReason[]> {
  const known = loadedFacts.get(file) as readonly KycReason[] | undefined
  if (known) return known
  const reasons = await call(listKycReasons, {})
  loadedFacts.set(file, reasons)
  return reasons
}

/** Text templates, listed by topic in the reviewer's language. The inserted text is in the applicant's language. */
export function ReasonTemplate({
  of,
  language,
  onChoose,
}: {
  of: ReasonUse
  language: Language
  onChoose: (text: string) => void
}) {
  const { t, language: own } = useMessages()
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
