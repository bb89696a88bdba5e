import { timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../platform/db/database.ts'
import { hashSecret, randomSecret } from '../../platform/keys.ts'
import { findSubscriber, type SubscriberRow } from './subscriber.queries.ts'

const secretBytes = 18
export const newSecret = (): string => randomSecret(secretBytes)

/** The token in each email's links: the subscription ID and its secret. */
export const tokenOf = ({ id, link_secret }: Pick<SubscriberRow, 'id' | 'link_secret'>): string =>
  `${id}.${link_secret}`

/** Undefined if it opens nothing: unknown, changed, and deleted look the same. */
export async function findByToken(db: Tx, token: string): Promise<SubscriberRow | undefined> {
  const [, id, secret] = /^([\w-]{1,64})\.([\w-]{1,60})$/.exec(token) ?? []
  const row = id && (await findSubscriber(db, id))
  if (!row || row.state === 'pending') return undefined
  const [given, kept] = [hashSecret(secret!), hashSecret(row.link_secret)].map((each) => Buffer.from(each))
  return timingSafeEqual(given!, kept!) ? row : undefined
}
