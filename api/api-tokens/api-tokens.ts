import { eachPage } from '../db/each-page.ts'
import type { Noun, Source } from '../noun.ts'
import { deleteOldTokens, deleteTokensOfMember } from './api-token.queries.ts'
import { listTokensOfMember } from './listed-token.queries.ts'
import { presentToken } from './present-token.ts'
import { createApiToken, listApiTokens, revokeApiToken, rotateApiToken } from './token-handlers.ts'
import { warnOfEnd } from './warn-of-end.ts'

const pageSize = 100

/** Tokens by which machines call the API in the name of one of the staff. */
export const apiTokens = {
  calls: { listApiTokens, createApiToken, rotateApiToken, revokeApiToken },
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
} satisfies Noun

/** Who revoked one is left out: staff are not named in copies. */
async function* readTokens({ db, config, member }: Source) {
  const rows = eachPage((after) => listTokensOfMember(db, config, member.id, { limit: pageSize, after }))
  for await (const row of rows) {
    const { maker: _, isOwn: __, revoked, ...token } = presentToken(row, member.id)
    yield { ...token, revoked: revoked && { at: revoked.at, reason: revoked.reason } }
  }
}
