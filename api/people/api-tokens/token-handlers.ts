import type { api } from '#contract/api.ts'
import {
  apiToken,
  apiTokens,
  tokensMax,
  type ApiToken,
  type TokenLevels,
  type TokenRejection,
} from '#contract/people/api-tokens.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { levels } from '#contract/platform/endpoint.ts'
import { levelOf, type Rights } from '#contract/people/level-of.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { project } from '../../platform/db/project.ts'
import { formatDay } from '../../platform/text/format-time.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { hashSecret } from '../../platform/keys.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { lockMember, type MemberRow } from '../members/member.queries.ts'
import { countingRightsOf } from '../members/rights.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { serveResource } from '../../platform/resource/serve-resource.ts'
import { resetRequestLink, tokensLink } from '../../platform/site-links.ts'
import {
  countLivingTokens,
  findShownToken,
  insertToken,
  listTokens,
  lockTokenOfMember,
  markRevoked,
  replaceSecret,
  type ShownTokenRow,
} from './api-token.queries.ts'
import { endOf, newSecret } from './secret.ts'

export function presentToken(row: ShownTokenRow, readerId: string): ApiToken {
  const { news, employee, finance, coins, last_used_at, last_refused_at, revoked_at } = row
  return {
    ...project(apiToken, row),
    maker: { id: row.member_id, name: row.maker_name ?? '' },
    isOwn: row.member_id === readerId,
    levels: { news, employee, finance, coins } as TokenLevels,
    counting: {
      news: row.counting_news,
      employee: row.counting_employee,
      finance: row.counting_finance,
      coins: row.counting_coins,
    },
    lastUsed: last_used_at && { at: last_used_at.toISOString(), place: row.last_used_place ?? '' },
    lastRefused: last_refused_at && {
      at: last_refused_at.toISOString(),
      place: row.last_refused_place ?? '',
      why: row.last_refused_why as TokenRejection,
    },
    revoked: revoked_at && {
      at: revoked_at.toISOString(),
      by: row.revoker_name ?? '',
      reason: row.revoke_reason,
    },
  }
}

export const { list: listApiTokens } = serveResource(apiTokens, {
  read: listTokens,
  present: ({ caller }, rows) => rows.map((row) => presentToken(row, caller.memberId)),
})

export const createApiToken: Handler<typeof api.createApiToken> = ({ body }, context) =>
  makeSecret(context, 'token-made', async (db, owner, secret) => {
    requireOwnLevels(body.levels, countingRightsOf(owner))
    if ((await countLivingTokens(db, owner.id)) >= tokensMax)
      throw refusedField('name', 'too_many', { max: tokensMax })
    context.caller.requireStepUp()
    return insertToken(db, {
      ...body,
      memberId: owner.id,
      secretHash: hashSecret(secret),
      secretEnd: endOf(secret),
    })
  })

export const rotateApiToken: Handler<typeof api.rotateApiToken> = ({ params, body }, context) =>
  makeSecret(context, 'token-rotated', async (db, owner, secret) => {
    const token = await lockTokenOfMember(db, params.id, owner.id)
    if (!token) throw new Refused('not_found')
    if (!token.is_alive) throw new Refused('conflict')
    context.caller.requireStepUp()
    await replaceSecret(
      db,
      token.id,
      { hash: hashSecret(secret), end: endOf(secret) },
      { overlap: body.overlapHours * HOUR, days: body.days },
    )
    return token.id
  })

/** A new secret for the token that `step` writes. The owner is notified, whoever created it in their name. */
async function makeSecret(
  context: MemberContext,
  kind: 'token-made' | 'token-rotated',
  step: (db: Tx, owner: MemberRow, secret: string) => Promise<string>,
): Promise<{ token: ApiToken; secret: string }> {
  const { db, keys, config, caller } = context
  await requireWithinLimits(db, keys, [{ key: `api-token-made ${caller.memberId}`, max: 30, window: HOUR }])
  const secret = newSecret()
  return transaction(db, async (db) => {
    // Levels are checked now, and concurrent calls are each counted.
    const owner = await lockOwner(db, caller.memberId)
    const id = await step(db, owner, secret)
    await record(db, caller, kind, id)
    const row = (await findShownToken(db, config, id))!
    await sendMail(db, keys, owner, kind, {
      name: row.name,
      date: formatDay(row.expires_at, owner.language),
      link: tokensLink(config),
      resetLink: resetRequestLink(config),
    })
    return { token: presentToken(row, owner.id), secret }
  })
}

/** Locked before the token, as in an erasure, so that there is no deadlock. */
async function lockOwner(db: Tx, memberId: string): Promise<MemberRow> {
  const owner = await lockMember(db, memberId)
  if (!owner?.active) throw new Refused('session_expired')
  return owner
}

function requireOwnLevels(wanted: TokenLevels, rights: Rights): void {
  for (const level of levels)
    if (wanted[level] > levelOf(rights, level))
      throw refusedField(`levels.${level}`, 'too_much', { max: levelOf(rights, level) })
  if (levels.every((level) => wanted[level] === 0)) throw refusedField('levels', 'required')
}

/**
 * One's own can be revoked without a fresh proof, because after a leak there is no time to lose. Someone else's
 * requires one.
 */
export const revokeApiToken: Handler<typeof api.revokeApiToken> = (
  { params: { id }, body },
  { db, config, caller },
) =>
  transaction(db, async (db) => {
    await lockOwner(db, caller.memberId)
    const found = await findShownToken(db, config, id)
    const isOwn = found?.member_id === caller.memberId
    if (!found || !(isOwn || caller.rights.isWriteAccessAdmin)) throw new Refused('not_found')
    if (!isOwn) caller.requireStepUp()
    if (await markRevoked(db, id, caller.memberId, body.reason)) await record(db, caller, 'token-revoked', id)
    return presentToken((await findShownToken(db, config, id))!, caller.memberId)
  })

const record = (
  db: Tx,
  caller: Caller,
  action: 'token-made' | 'token-rotated' | 'token-revoked',
  id: string,
) => recordAudit(db, { actorId: caller.memberId, action, subjectKind: 'token', subjectId: id })
