import type { ConsoleSubscriber } from '#contract/newsletter.ts'
import type { SubscriberRow } from '../subscriber.queries.ts'

export const presentSubscriber = (row: SubscriberRow): ConsoleSubscriber => ({
  id: row.id,
  email: row.email,
  memberId: row.member_id,
  state: row.state,
  language: row.language,
  categories: row.categories,
  rhythm: row.rhythm,
  askedAt: row.asked_at.toISOString(),
  consentedAt: row.consented_at?.toISOString() ?? null,
  wording: row.consented_at ? row.consent_wording : null,
  way: row.consent_way,
  endedAt: row.ended_at?.toISOString() ?? null,
  endedBy: row.ended_by,
  reason: row.end_reason,
})
