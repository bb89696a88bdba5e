import type { DigestTime, Subscription } from '#contract/newsletter.ts'
import type { SubscriberRow } from './subscriber.queries.ts'

/** Enough for its reader to recognize it. */
const shortened = (email: string): string => {
  const at = email.lastIndexOf('@')
  return `${Array.from(email)[0]}…${email.slice(at)}`
}

export const presentSubscription = (
  row: SubscriberRow,
  digest: DigestTime,
  { isWhole = false } = {},
): Subscription => ({
  state: row.state,
  address: isWhole ? row.email : shortened(row.email),
  since: row.consented_at?.toISOString() ?? null,
  language: row.language,
  categories: row.categories,
  rhythm: row.rhythm,
  digest,
})
