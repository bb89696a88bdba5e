import type { Database } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { takeMailPermit } from '../mail/mail-permit.ts'
import { findMemberByEmail, isProved } from '../members/member.queries.ts'
import { hasWaitingSignUp } from './sign-up.queries.ts'

type Asked = { email: string; client: string; sort: 'sign-up' | 're-send' | 'reset' }

export type StrangersPermit = {
  /** The member with the address, when it was looked up. */
  ownerId: string | undefined
  /** Whether what was asked for is done as for an address without an account. */
  isServed: boolean
  isMailed: boolean
}

/**
 * For what somebody without a session asks for an address. What they can see of it, in an answer, its time or a later sign-in, is
 * decided by counters of what was asked, the same whether the address has an account; whether an account is mailed, by counters
 * of its own, which what mailed nobody does not use up.
 */
export async function takeStrangersPermit(
  db: Database,
  keys: Keys,
  { email, client, sort: asked }: Asked,
): Promise<StrangersPermit> {
  const owner = await findMemberByEmail(db, email)
  const isNew = (await hasWaitingSignUp(db, owner?.id ?? '')) || asked === 'sign-up'
  const sort = asked === 'reset' ? 'reset' : 'activation'
  const mail = { email, client, sort, ownerId: sort === 'reset' ? owner?.id : undefined } as const
  const isServed = await takeMailPermit(db, keys, { ...mail, of: isNew ? 'new' : 'nobody' })
  // A link leaves nothing to see: it is refused only while one that was mailed still works.
  if (!isServed && asked !== 'reset') return { ownerId: owner?.id, isServed, isMailed: false }
  const hasAccount = owner !== undefined && isProved(owner)
  const isRoom = await takeMailPermit(db, keys, { ...mail, of: hasAccount ? 'account' : 'uncounted' })
  return { ownerId: owner?.id, isServed, isMailed: hasAccount ? isRoom : isServed }
}
