import { transaction } from '../../platform/db/database.ts'
import { formatDay } from '../../platform/text/format-time.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { collectHandlers, type Module, type Source } from '../../platform/module.ts'
import type { Services } from '../../platform/services.ts'
import { tokensLink } from '../../platform/site-links.ts'
import {
  claimExpiringTokens,
  deleteOldTokens,
  deleteTokensOfMember,
  listTokensOfMember,
} from './api-token.queries.ts'
import * as tokenHandlers from './token-handlers.ts'
import { presentToken } from './token-handlers.ts'

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

/** The person who revoked one is left out, because staff are not named in exports. */
async function* readTokens({ db, config, member }: Source) {
  for (const row of await listTokensOfMember(db, config, member.id)) {
    const { maker: _, isOwn: __, revoked, ...token } = presentToken(row, member.id)
    yield { ...token, revoked: revoked && { at: revoked.at, reason: revoked.reason } }
  }
}

/**
 * Notifies owners a week before expiry: the mark and the email are one transaction, so that each is notified
 * once.
 */
export async function warnOfEnd({ db, keys, config }: Services): Promise<void> {
  await transaction(db, async (db) => {
    for (const { name, expires_at, ...owner } of await claimExpiringTokens(db, config))
      await sendMail(db, keys, owner, 'token-ends', {
        name,
        date: formatDay(expires_at, owner.language),
        link: tokensLink(config),
      })
  })
}
