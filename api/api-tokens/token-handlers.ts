import type { api } from '#contract/api.ts'
import { tokensMax } from '#contract/api-tokens.ts'
import { HOUR } from '#contract/durations.ts'
import { levels } from '#contract/endpoint.ts'
import { levelOf, type Rights } from '#contract/level-of.ts'
import type { TokenLevels } from '#contract/api-tokens.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { transaction, type Tx } from '../db/database.ts'
import { formatDay } from '../format-time.ts'
import type { Caller } from '../http/caller.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { hashSecret } from '../keys.ts'
import { sendMail } from '../mail/send-mail.ts'
import { getMemberById, lockMember, type MemberRow } from '../members/member.queries.ts'
import { countingRightsOf } from '../members/rights.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../refused.ts'
import { resetRequestLink, tokensLink } from '../site-links.ts'
import {
  countLivingTokens,
  insertToken,
  lockTokenOfMember,
  markRevoked,
  replaceSecret,
} from './api-token.queries.ts'
import { hasLevel } from './counting-levels.ts'
import { findShownToken, getShownToken, listTokens } from './listed-token.queries.ts'
import { presentToken } from './present-token.ts'
import { endOf, newSecret } from './secret.ts'

const seesOthers = ({ rights }: Caller): boolean => rights.isWriteAccessAdmin

export const listApiTokens: Handler<typeof api.listApiTokens> = async (
  { query },
  { db, config, caller, answer },
) => {
  const { limit, after, ...filters } = query
  const reader = { memberId: caller.memberId, seesOthers: seesOthers(caller) }
  const { rows, next } = await listTokens(db, config, reader, filters, { limit, after })
  answer.setNext(next)
  return rows.map((row) => presentToken(row, caller.memberId))
}

export const createApiToken: Handler<typeof api.createApiToken> = async ({ body }, context) => {
  const { db, keys, caller } = context
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [{ key: `api-token-made ${caller.memberId}`, max: 30, window: HOUR }])
  const secret = newSecret()
  return transaction(db, async (db) => {
    // The levels that count are those of this moment, and of several at once each is counted.
    const maker = await holdMaker(db, caller.memberId)
    requireOwnLevels(body.levels, countingRightsOf(maker))
    if ((await countLivingTokens(db, maker.id)) >= tokensMax)
      throw refusedField('name', 'too_many', { max: tokensMax })
    const id = await insertToken(db, {
      ...body,
      memberId: maker.id,
      secretHash: hashSecret(secret),
      secretEnd: endOf(secret),
    })
    await record(db, caller, 'token-made', id)
    return { token: await tellMaker(db, context, 'token-made', id), secret }
  })
}

/** Before the token, as an erasure does, so that neither waits for the other. */
async function holdMaker(db: Tx, memberId: string): Promise<MemberRow> {
  const maker = await lockMember(db, memberId)
  if (!maker?.active) throw new Refused('session_expired')
  return maker
}

function requireOwnLevels(wanted: TokenLevels, rights: Rights): void {
  for (const level of levels)
    if (wanted[level] > levelOf(rights, level))
      throw refusedField(`levels.${level}`, 'too_much', { max: levelOf(rights, level) })
  if (!hasLevel(wanted)) throw refusedField('levels', 'required')
}

export const rotateApiToken: Handler<typeof api.rotateApiToken> = async ({ params, body }, context) => {
  const { db, keys, caller } = context
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [{ key: `api-token-made ${caller.memberId}`, max: 30, window: HOUR }])
  const secret = newSecret()
  return transaction(db, async (db) => {
    await holdMaker(db, caller.memberId)
    const token = await lockTokenOfMember(db, params.id, caller.memberId)
    if (!token) throw new Refused('not_found')
    if (!token.is_alive) throw new Refused('conflict')
    const { overlapHours, days } = body
    const how = { overlap: overlapHours * HOUR, days }
    await replaceSecret(db, token.id, { hash: hashSecret(secret), end: endOf(secret) }, how)
    await record(db, caller, 'token-rotated', token.id)
    return { token: await tellMaker(db, context, 'token-rotated', token.id), secret }
  })
}

/** One's own ends without a fresh proof: whoever finds it in the wrong hands has no time to lose. That of somebody else takes one. */
export const revokeApiToken: Handler<typeof api.revokeApiToken> = (
  { params, body },
  { db, config, caller },
) =>
  transaction(db, async (db) => {
    await holdMaker(db, caller.memberId)
    const found = await findShownToken(db, config, params.id)
    if (!found || !(seesOthers(caller) || found.member_id === caller.memberId)) throw new Refused('not_found')
    if (found.member_id !== caller.memberId) caller.requireStepUp()
    if (await markRevoked(db, found.id, caller.memberId, body.reason))
      await record(db, caller, 'token-revoked', found.id)
    return presentToken(await getShownToken(db, config, found.id), caller.memberId)
  })

const record = (
  db: Tx,
  caller: Caller,
  action: 'token-made' | 'token-rotated' | 'token-revoked',
  id: string,
) => recordAudit(db, { actorId: caller.memberId, action, subjectKind: 'token', subjectId: id })

/** Whoever made it in their name, they learn of it. */
async function tellMaker(
  db: Tx,
  { keys, config, caller }: MemberContext,
  kind: 'token-made' | 'token-rotated',
  id: string,
) {
  const row = await getShownToken(db, config, id)
  const { email, language } = await getMemberById(db, caller.memberId)
  await sendMail(db, keys, { email, language }, kind, {
    name: row.name,
    date: formatDay(row.expires_at, language),
    link: tokensLink(config),
    resetLink: resetRequestLink(config),
  })
  return presentToken(row, caller.memberId)
}
