import { randomUUID } from 'node:crypto'
import type { TokenLevels, TokenRejection } from '#contract/people/api-tokens.ts'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { hashSecret } from '#api/platform/keys.ts'
import type { OperatorName, SampleWorld } from './world.ts'
import { endOf, newSecret } from '#api/people/api-tokens/secret.ts'
import type { Insertable } from 'kysely'
import type { DB } from '#api/platform/db/rows.ts'

/** Networks reserved for documentation. */
const home = '203.0.113.0/24'
const elsewhere = '198.51.100.0/24'

type Sample = {
  maker: OperatorName
  name: string
  purpose?: string
  levels: Partial<TokenLevels>
  isReadOnly?: true
  addresses?: readonly string[]
  /** How long ago it was created, and for how much longer it is valid. */
  age: number
  left: number
  usedAgo?: number
  /** How long ago a new secret was created, if a client still uses the previous one. */
  rotatedAgo?: number
  refused?: { ago: number; place: string; why: TokenRejection }
  revoked?: { ago: number; reason: string }
}

/** Tokens in every state, including one that may have leaked and one with two secrets. */
const samples: readonly Sample[] = [
  {
    maker: 'admin',
    name: 'Accounting export',
    purpose: 'Reads completed orders every night for the books.',
    levels: { finance: 1 },
    isReadOnly: true,
    addresses: [home],
    age: 41 * DAY,
    left: 49 * DAY,
    usedAgo: 6 * HOUR,
    refused: { ago: 9 * HOUR, place: elsewhere, why: 'address' },
  },
  {
    maker: 'admin',
    name: '网站新闻同步',
    purpose: '把已发布的文章同步到合作伙伴的网站。',
    levels: { news: 1 },
    isReadOnly: true,
    age: 20 * DAY,
    left: 160 * DAY,
    usedAgo: 12 * MINUTE,
  },
  {
    maker: 'admin',
    name: 'Help desk',
    purpose: 'Shows the state of an account beside a ticket.',
    levels: { employee: 1 },
    isReadOnly: true,
    age: 62 * DAY,
    left: 28 * DAY,
    usedAgo: 50 * MINUTE,
    rotatedAgo: 5 * HOUR,
  },
  { maker: 'admin', name: 'Trial of the price feed', levels: { coins: 2 }, age: 26 * DAY, left: 4 * DAY },
  {
    maker: 'news2',
    name: 'Translation memory',
    purpose: 'Writes drafts of translated posts.',
    levels: { news: 2 },
    age: 87 * DAY,
    left: 3 * DAY,
    usedAgo: 2 * DAY,
  },
  {
    maker: 'finance2',
    name: 'Monthly report',
    levels: { finance: 1 },
    isReadOnly: true,
    age: 35 * DAY,
    left: -5 * DAY,
    usedAgo: 6 * DAY,
    refused: { ago: 3 * HOUR, place: home, why: 'expired' },
  },
  {
    maker: 'coins2',
    name: 'Price feed',
    purpose: 'Sets the price of the sale every hour.',
    levels: { coins: 2 },
    age: 50 * DAY,
    left: 40 * DAY,
    usedAgo: 13 * DAY,
    revoked: { ago: 12 * DAY, reason: 'Its secret stood in a repository.' },
  },
  // Rejected, because its owner has another level now.
  {
    maker: 'employee1',
    name: 'Newsletter figures',
    levels: { news: 1 },
    isReadOnly: true,
    age: 70 * DAY,
    left: 110 * DAY,
    usedAgo: 30 * DAY,
  },
]

/** Inserts tokens whose secrets nobody knows: each is created, hashed, and discarded. */
export async function insertSampleTokens(db: Tx, world: SampleWorld): Promise<void> {
  const rows = samples.map((sample) => rowOf(world, sample))
  await db.insertInto('api_token').values(rows).execute()
  for (const [index, { maker, age, rotatedAgo, revoked }] of samples.entries()) {
    const of = { subjectKind: 'token', subjectId: rows[index]!.id } as const
    const actorId = world.operators[maker]
    world.audit.push({ at: world.now - age, actorId, action: 'token-made', ...of })
    if (rotatedAgo !== undefined)
      world.audit.push({ at: world.now - rotatedAgo, actorId, action: 'token-rotated', ...of })
    if (revoked)
      world.audit.push({
        at: world.now - revoked.ago,
        actorId: world.operators.admin,
        action: 'token-revoked',
        ...of,
      })
  }
}

function rowOf(
  { now, operators }: SampleWorld,
  sample: Sample,
): Insertable<DB['api_token']> & { id: string } {
  const { usedAgo, rotatedAgo, refused, revoked } = sample
  const secret = newSecret()
  const ago = (time: number) => new Date(now - time)
  return {
    id: randomUUID(),
    member_id: operators[sample.maker],
    name: sample.name,
    purpose: sample.purpose ?? '',
    ...sample.levels,
    is_read_only: sample.isReadOnly ?? false,
    addresses: [...(sample.addresses ?? [])],
    secret_hash: hashSecret(secret),
    secret_end: endOf(secret),
    created_at: ago(sample.age),
    expires_at: new Date(now + sample.left),
    // Sample data sends no emails.
    warned_at: ago(Math.min(sample.age, HOUR)),
    ...(usedAgo !== undefined &&
      (rotatedAgo === undefined
        ? { last_used_at: ago(usedAgo), last_used_place: home }
        : { previous_used_at: ago(usedAgo) })),
    ...(rotatedAgo !== undefined && formerSecret(now, rotatedAgo)),
    ...(refused && {
      last_refused_at: ago(refused.ago),
      last_refused_place: refused.place,
      last_refused_why: refused.why,
    }),
    ...(revoked && {
      revoked_at: ago(revoked.ago),
      revoked_by: operators.admin,
      revoke_reason: revoked.reason,
    }),
  }
}

function formerSecret(now: number, rotatedAgo: number) {
  const secret = newSecret()
  return {
    rotated_at: new Date(now - rotatedAgo),
    previous_hash: hashSecret(secret),
    previous_end: endOf(secret),
    previous_until: new Date(now - rotatedAgo + 7 * DAY),
  }
}
