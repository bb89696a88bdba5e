import type { api } from '#contract/api.ts'
import { newsletterWording, type DigestTime, type Subscription } from '#contract/publishing/newsletter.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { getMemberById, lockMember } from '../../people/members/member.queries.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { askForNews } from './ask-for-news.ts'
import { endSubscription } from './unsubscribe.ts'
import { followMembers } from './follow-members.ts'
import { newSecret } from './news-token.ts'
import {
  activateOwn,
  findSubscriberByEmail,
  lockOrInsertSubscriber,
  type SubscriberRow,
} from './subscriber.queries.ts'

type Own = OutputOf<typeof api.readOwnSubscription>

/** A member with an unverified address may be a stranger, and must not learn about its subscription. */
async function readOwn(db: Tx, { caller, config }: MemberContext): Promise<Own> {
  const member = await getMemberById(db, caller.memberId)
  const isProved = member.address_proved_at !== null
  const row = isProved ? await findSubscriberByEmail(db, member.email) : undefined
  const digest = config.digestTime
  return {
    subscription: row ? presentSubscription(row, digest, { isWhole: true }) : null,
    isProved,
    digest,
  }
}

export const readOwnSubscription: Handler<typeof api.readOwnSubscription> = (_, context) =>
  readOwn(context.db, context)

const savesMax = 30

export const saveOwnSubscription: Handler<typeof api.saveOwnSubscription> = async ({ body }, context) => {
  const { db, keys, caller, request } = context
  await requireWithinLimits(db, keys, [
    { key: `newsletter own ${caller.memberId}`, max: savesMax, window: HOUR },
  ])
  const unproved = await transaction(db, async (db) => {
    const member = await lockMember(db, caller.memberId)
    if (!member || member.address_proved_at === null) return member
    await followMembers(db, member.id)
    const wanted = { email: member.email, linkSecret: newSecret(), wording: newsletterWording, ...body }
    const { id, state } = await lockOrInsertSubscriber(db, wanted)
    await activateOwn(db, { ...wanted, id, memberId: member.id, isActive: state === 'active' })
    return undefined
  })
  if (unproved) await askForNews(context, { ...body, email: unproved.email, client: request.client })
  return readOwn(db, context)
}

export const endOwnSubscription: Handler<typeof api.endOwnSubscription> = async (_, context) => {
  const { db, caller } = context
  await transaction(db, async (db) => {
    const member = await lockMember(db, caller.memberId)
    if (!member || member.address_proved_at === null) return
    await followMembers(db, member.id)
    const row = await findSubscriberByEmail(db, member.email)
    if (row) await endSubscription(db, row.id, 'left')
  })
  return readOwn(db, context)
}

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
