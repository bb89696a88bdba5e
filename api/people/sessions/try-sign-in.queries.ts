import { sql } from 'kysely'
import { isOfDevice } from './known-device.queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import { hasFactor, type MemberRow } from '../members/member.queries.ts'
import { importedKinds } from '../members/imported-member.queries.ts'
import { pendingPasswordHashes } from '../members/pending-password.queries.ts'
import { isClientOf } from '../members/sign-in.queries.ts'
import { counting, type Counted, type KeyLimit } from '../../platform/rate-limits/rate-limit.queries.ts'

type Asked = {
  email: string
  /** Hash of the browser's device token. */
  deviceHash: string | null
  clientHash: string
  /** The limit of a browser that signed in as this member before. */
  ofDevice: KeyLimit
  /** The limits of all other browsers, counted in order until one is exceeded. */
  ofOthers: readonly [KeyLimit, KeyLimit, KeyLimit]
}

export type Try = {
  isKnown: boolean
  /** Limits that were counted. */
  counted: Counted[]
  member: MemberRow | undefined
  pendingHashes: string[]
  /** The hash kinds of imported members. */
  importedKinds: string[]
  /** Whether the member signed in from this client before. */
  hasSignedInFrom: boolean
  hasFactor: boolean
  /** Whether the browser's token is known, for this or another member. */
  isTokenKnown: boolean
}

type Turn = 'first' | 'second' | 'third'
type Counts = { [Column in `${Turn}_${keyof Counted}`]: number | null }

type Row = Counts & {
  is_known: boolean
  pending_hashes: string[]
  imported_kinds: string[]
  has_signed_in_from: boolean
  has_factor: boolean
  is_token_known: boolean
} & { [Column in keyof MemberRow]: MemberRow[Column] | null }

/**
 * Counts a sign-in attempt and reads the data to evaluate it, in one statement, with equal work for every
 * address. Counter rows are locked in the order in which they are refunded.
 */
export async function countTryOf(
  db: Tx,
  { email, deviceHash, clientHash, ofDevice, ofOthers }: Asked,
): Promise<Try> {
  const [ofPair, ofClient, ofAccount] = ofOthers
  const isStranger = sql`not exists (select from device)`
  const key = sql<string>`case when exists (select from device) then ${ofDevice.keyHash}::text else ${ofPair.keyHash} end`
  const { rows } = await sql<Row>`
    with device as (
      select from known_device join member on member.id = known_device.member_id
      where ${isOfDevice(deviceHash)} and member.email = ${email}),
    first as (${counting({ keyHash: key, window: ofPair.window })}),
    second as (${counting(ofClient, sql`from first where first.count <= ${ofPair.max} and ${isStranger}`)}),
    third as (${counting(ofAccount, sql`from second where second.count <= ${ofClient.max}`)})
    select member.*, exists (select from device) as is_known,
      first.count as first_count, first.wait as first_wait, second.count as second_count, second.wait as second_wait,
      third.count as third_count, third.wait as third_wait,
      ${pendingPasswordHashes(sql`member.id`)} as pending_hashes,
      ${importedKinds} as imported_kinds,
      ${isClientOf(sql`member.id`, clientHash)} as has_signed_in_from,
      ${hasFactor} as has_factor,
      exists (select from known_device where ${isOfDevice(deviceHash)}) as is_token_known
    from first left join second on true left join third on true left join member on member.email = ${email}`.execute(
    db,
  )
  const row = rows[0]!
  return {
    isKnown: row.is_known,
    counted: countsOf(row),
    member: row.id === null ? undefined : (row as unknown as MemberRow),
    pendingHashes: row.pending_hashes,
    importedKinds: row.imported_kinds,
    hasSignedInFrom: row.has_signed_in_from,
    hasFactor: row.has_factor,
    isTokenKnown: row.is_token_known,
  }
}

const countsOf = (row: Counts): Counted[] =>
  (['first', 'second', 'third'] as const).flatMap((turn) => {
    const [count, wait] = [row[`${turn}_count`], row[`${turn}_wait`]]
    return count === null || wait === null ? [] : [{ count, wait }]
  })
