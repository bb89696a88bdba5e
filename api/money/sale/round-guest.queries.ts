import { sql } from 'kysely'
import { roundGuests } from '#contract/money/sale-rounds.ts'
import type { FiltersOf } from '#contract/platform/resource.ts'
import type { Tx } from '../../platform/db/database.ts'
import { literalInLike, staffName } from '../../platform/db/expressions.ts'
import type { DataSubject } from '../../platform/module.ts'
import { readList } from '../../platform/db/read-list.ts'
import type { Page } from '../../platform/db/read-page.ts'

const listedGuests = (db: Tx) =>
  db
    .selectFrom('sale_round_guest as guest')
    .leftJoin('member as adder', 'adder.id', 'guest.added_by')
    .selectAll('guest')
    .select(staffName('adder').as('adder_name'))

export type GuestRow = Awaited<ReturnType<typeof listGuestRows>>['rows'][number]

export const listGuestRows = (db: Tx, filters: FiltersOf<typeof roundGuests>, page: Page) =>
  readList(
    roundGuests,
    {
      rows: listedGuests(db),
      where: {
        round: (rows, round) => rows.where('guest.round_id', '=', round),
        q: (rows, q) => rows.where('guest.email', 'like', `${literalInLike(q.trim().toLowerCase())}%`),
      },
      sortBy: { added: 'guest.added_at' },
      id: 'guest.id',
    },
    filters,
    page,
  )

/**
 * Waits for other changes of the lists. The round is locked first, because that is what a removal of the round waits for.
 * Returns whether the round exists.
 */
export async function lockGuests(db: Tx, roundId: string): Promise<boolean> {
  const round = await db
    .selectFrom('sale_round')
    .select('id')
    .where('id', '=', roundId)
    .forKeyShare()
    .executeTakeFirst()
  await sql`lock table sale_round_guest in share row exclusive mode`.execute(db)
  return round !== undefined
}

/** Returns the number of addresses that were not on the list. */
export async function insertGuests(
  db: Tx,
  { roundId, emails, by }: { roundId: string; emails: readonly string[]; by: string },
): Promise<number> {
  if (emails.length === 0) return 0
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('sale_round_guest')
    .values(emails.map((email) => ({ round_id: roundId, email, added_by: by })))
    .onConflict((conflict) => conflict.columns(['round_id', 'email']).doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows)
}

/** Returns the number of addresses that were on the list. */
export async function deleteGuests(db: Tx, roundId: string, emails: readonly string[]): Promise<number> {
  if (emails.length === 0) return 0
  const { numDeletedRows } = await db
    .deleteFrom('sale_round_guest')
    .where('round_id', '=', roundId)
    .where('email', 'in', emails)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Anyone can sign up with any address, so only a verified one is the member's. */
const isOf = ({ email, address_proved_at: provedAt }: DataSubject) =>
  provedAt === null ? sql<boolean>`false` : sql<boolean>`sale_round_guest.email = ${email}`

/** Lists the rounds that the member is admitted to by their address. */
export const listAdmissionsOf = (db: Tx, member: DataSubject) =>
  db
    .selectFrom('sale_round_guest')
    .innerJoin('sale_round', 'sale_round.id', 'sale_round_guest.round_id')
    .select(['name_en', 'name_cn', 'added_at'])
    .where(isOf(member))
    .orderBy('added_at')
    .execute()

export const deleteAdmissionsOf = (db: Tx, member: DataSubject) =>
  db.deleteFrom('sale_round_guest').where(isOf(member)).execute()
