import { listKycCaseEvents, type KycCaseDetail } from '#contract/people/kyc-review.ts'
import { call } from '../../../kernel/call/call.ts'
import { useMessages, type UsedMessages } from '../../../kernel/i18n/messages.tsx'
import { staffName } from '../../../kernel/i18n/staff-name.ts'
import { Attention } from '../case/attention.tsx'
import { isWaiting, reviewStates } from '../review-states.ts'
import type { Draft } from './draft.ts'
import styles from './decision.module.css'

/** Explains why the reviewer's action is no longer possible, based on the current state of the case. */
export async function explainConflict(
  { t, language }: Pick<UsedMessages, 't' | 'language'>,
  now: KycCaseDetail,
  before: KycCaseDetail,
  officerId: string,
): Promise<string> {
  const { status, assignee, finalProposedBy } = now
  if (!isWaiting(status) && isWaiting(before.status)) {
    const events = await call(listKycCaseEvents, { params: { id: now._id } }).catch(() => [])
    const name = events.find(({ what }) => what === 'step')?.by || t('review.conflict.somebody')
    return t('review.conflict.decided', { name, state: t(reviewStates[status].words) })
  }
  if (assignee && assignee.id !== officerId) return t('review.conflict.taken', { name: assignee.name })
  if (finalProposedBy && finalProposedBy.id !== officerId && !before.finalProposedBy)
    return t('review.conflict.proposed', { name: staffName(finalProposedBy.name, language) })
  return t('review.conflict.other')
}

/** What happened instead, along with the typed texts if their form was removed. */
export function Conflict({ what, typed }: { what: string; typed: Draft | undefined }) {
  const { t } = useMessages()
  const texts = [typed?.reason, typed?.note].filter((text) => text?.trim())
  return (
    <Attention>
      <p>
        {what} {t('review.conflict.nothing')}
      </p>
      {texts.length > 0 && (
        <details open>
          <summary>{t('review.conflict.typed')}</summary>
          {texts.map((text) => (
            <blockquote key={text} className={styles.typed}>
              {text}
            </blockquote>
          ))}
        </details>
      )}
    </Attention>
  )
}
