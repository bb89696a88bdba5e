import { transaction } from '../db/database.ts'
import { eachPage } from '../db/each-page.ts'
import { formatDay } from '../format-time.ts'
import { sendMail } from '../mail/send-mail.ts'
import { collectHandlers, type Module, type Source } from '../module.ts'
import type { Services } from '../services.ts'
import { tokensLink } from '../site-links.ts'
import { deleteOldTokens, deleteTokensOfMember, claimExpiringTokens } from './api-token.queries.ts'
import { listTokensOfMember } from './listed-token.queries.ts'
import { presentToken } from './present-token.ts'
import * as tokenHandlers from './token-handlers.ts'

/** Tokens with which programs call the API on behalf of a staff member. */
export const apiTokens = {
  calls: collectHandlers(tokenHandlers),
  personal: {
    columns: {
      api_token: {
        member_id: 'erased',
        name: 'erased',
        purpose: 'erased',
        addresses: 'erased',
        last_used_place: 'erased',
        last_refused_place: 'erased',
        last_refused_why: 'erased',
        secret_hash: 'erased',
        secret_end: 'erased',
        previous_hash: 'erased',
        previous_end: 'erased',
        revoked_by: 'erased',
        revoke_reason: 'erased',
      },
    },
    parts: { apiTokens: { isList: true, read: readTokens } },
    erase: (db, { id }) => deleteTokensOfMember(db, id),
  },
  cleanUp: { endingTokens: warnOfEnd, oldTokens: ({ db }) => deleteOldTokens(db) },
} satisfies Module

const pageSize = 100

/** The person who revoked one is left out, because staff are not named in exports. */
async function* readTokens({ db, config, member }: Source) {
  const rows = eachPage((after) => listTokensOfMember(db, config, member.id, { limit: pageSize, after }))
  for await (const row of rows) {
    const { maker: _, isOwn: __, revoked, ...token } = presentToken(row, member.id)
    yield { ...token, revoked: revoked && { at: revoked.at, reason: revoked.reason } }
  }
}

const warnedAtOnce = 50

/**
 * Notifies owners a week before expiry: the mark and the email are one transaction, so that each is notified
 * once.
 */
export async function warnOfEnd({ db, keys, config }: Services): Promise<void> {
  let count: number
  do
    count = await transaction(db, async (db) => {
      const ending = await claimExpiringTokens(db, config, warnedAtOnce)
      for (const { name, expires_at, ...owner } of ending)
        await sendMail(db, keys, owner, 'token-ends', {
          name,
          date: formatDay(expires_at, owner.language),
          link: tokensLink(config),
        })
      return ending.length
    })
  while (count === warnedAtOnce)
}
