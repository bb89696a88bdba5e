import type { TokenLevels } from '#contract/people/api-tokens.ts'
import { insertToken } from '#api/people/api-tokens/api-token.queries.ts'
import { endOf, newSecret } from '#api/people/api-tokens/secret.ts'
import { hashSecret } from '#api/platform/keys.ts'
import type { CallOptions, TestApi } from './setup/start-api.ts'

export const noLevels: TokenLevels = { news: 0, employee: 0, finance: 0, coins: 0 }

type Given = Partial<Omit<Parameters<typeof insertToken>[1], 'levels'>> & { levels?: Partial<TokenLevels> }

/** Inserts a token of the member directly. */
export async function aToken(
  { services: { db } }: TestApi,
  memberId: string,
  { levels, ...given }: Given = {},
): Promise<{ id: string; secret: string }> {
  const secret = newSecret()
  const id = await insertToken(db, {
    memberId,
    name: 'Sample export',
    purpose: '',
    levels: { ...noLevels, ...levels },
    isReadOnly: false,
    addresses: [],
    days: 90,
    secretHash: hashSecret(secret),
    secretEnd: endOf(secret),
    ...given,
  })
  return { id, secret }
}

/** Returns call options with the token's credentials. */
export const by = (secret: string, ip = '198.51.100.7'): CallOptions => ({
  ip,
  headers: { authorization: `Bearer ${secret}` },
})
