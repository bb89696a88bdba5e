import type { Database } from '../../platform/db/database.ts'
import type { Keys } from '../../platform/keys.ts'
import { consumeEmailQuota } from '../../platform/mail/email-quota.ts'
import { findMemberByEmail, isProved } from '../members/member.queries.ts'
import { hasWaitingSignUp } from './sign-up.queries.ts'

type Asked = { email: string; client: string; sort: 'sign-up' | 're-send' | 'reset' }

type AnonymousQuota = {
  /** The member with the address, when it was looked up. */
  ownerId: string | undefined
  /** Whether the request is handled as for an address without an account. */
  isServed: boolean
  isMailed: boolean
}

/**
 * Limits requests without a session for an address. Their visible effects, in an answer, its duration, or a
 * later sign-in, depend on counters of requests, the same with and without an account; whether an account is
 * emailed depends on separate counters, which requests that send no email do not use up.
 */
export async function consumeAnonymousQuota(
  db: Database,
  keys: Keys,
  { email, client, sort: asked }: Asked,
): Promise<AnonymousQuota> {
  const owner = await findMemberByEmail(db, email)
  const isNew = (await hasWaitingSignUp(db, owner?.id ?? '')) || asked === 'sign-up'
  const sort = asked === 'reset' ? 'reset' : 'activation'
  const mail = { email, client, sort, ownerId: sort === 'reset' ? owner?.id : undefined } as const
  const isServed = await consumeEmailQuota(db, keys, { ...mail, of: isNew ? 'new' : 'nobody' })
  // A link has no visible effect: it is refused only while an emailed one is still valid.
  if (!isServed && asked !== 'reset') return { ownerId: owner?.id, isServed, isMailed: false }
  const hasAccount = owner !== undefined && isProved(owner)
  const isRoom = await consumeEmailQuota(db, keys, { ...mail, of: hasAccount ? 'account' : 'uncounted' })
  return { ownerId: owner?.id, isServed, isMailed: hasAccount ? isRoom : isServed }
}
