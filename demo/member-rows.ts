import { sql, type Insertable } from 'kysely'
import type { Tx } from '#api/platform/db/database.ts'
import type { DB } from '#api/platform/db/rows.ts'

type SampleMemberRow = Insertable<DB['member']>
export type SampleSignIn = { memberId: string; at: Date; device: string; hasProvedFactor: boolean }

/** Triggers would write these rows at commit, so they are inserted now. Later changes update them as usual. */
export async function insertSampleMemberRows(db: Tx, rows: readonly SampleMemberRow[]): Promise<void> {
  await db
    .insertInto('member')
    .values([...rows])
    .execute()
  await sql`set constraints member_summarised, member_words_noted_first immediate`.execute(db)
}

/** Moves the creation of accounts back in time. */
export async function backdateMembers(db: Tx, ids: readonly string[], at: Date): Promise<void> {
  await db
    .updateTable('member')
    .set({ created_at: at, activated_at: at, address_proved_at: at })
    .where('id', 'in', ids)
    .execute()
}

export async function insertSampleSignIns(db: Tx, signIns: readonly SampleSignIn[]): Promise<void> {
  await db
    .insertInto('sign_in')
    .values(
      signIns.map(({ memberId, at, device, hasProvedFactor }) => ({
        member_id: memberId,
        at,
        device,
        has_proved_factor: hasProvedFactor,
      })),
    )
    .execute()
  await sql`
    update member_summary set last_sign_in_at = latest.at
    from (select member_id, max(at) as at from sign_in group by member_id) latest
    where member_summary.id = latest.member_id`.execute(db)
}
