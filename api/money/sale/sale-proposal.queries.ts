import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { SaleTerms } from '#contract/money/sale.ts'
import type { SettingChange } from '#contract/people/settings.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago, selectStaffNameWithAddress } from '../../platform/db/expressions.ts'
import { hasFactor } from '../../people/members/member.queries.ts'

/** How long a proposal stays open, in milliseconds. */
export const proposalLife = 3 * DAY

export const insertProposal = (
  db: Tx,
  proposal: { by: string; settings: SaleTerms; changes: SettingChange[]; restoredId: string | null },
) =>
  db
    .insertInto('sale_proposal')
    .values({
      proposed_by: proposal.by,
      settings: JSON.stringify(proposal.settings),
      changes: JSON.stringify(proposal.changes),
      restored_id: proposal.restoredId,
    })
    .execute()

/** Returns the open proposal, unless it has expired or its author may no longer change the settings. */
export const findOpenProposal = (
  db: Tx,
  { isStaffSecondFactorRequired }: Pick<Config, 'isStaffSecondFactorRequired'>,
) =>
  db
    .selectFrom('sale_proposal')
    .innerJoin('member', 'member.id', 'sale_proposal.proposed_by')
    .selectAll('sale_proposal')
    .select(selectStaffNameWithAddress('member').as('proposer_name'))
    .where('ended_at', 'is', null)
    .where('proposed_at', '>', ago(proposalLife))
    .where('member.active', '=', true)
    .where('member.manage_coins', '>=', 2)
    .where('member.password_length_ok_for_staff', '=', true)
    .$if(isStaffSecondFactorRequired, (query) => query.where(hasFactor))
    .executeTakeFirst()

/** Whether the member proposed a change of the settings that may still be approved. */
export const hasOpenProposal = async (db: Tx, memberId: string): Promise<boolean> =>
  (await db
    .selectFrom('sale_proposal')
    .select('id')
    .where('proposed_by', '=', memberId)
    .where('ended_at', 'is', null)
    .where('proposed_at', '>', ago(proposalLife))
    .executeTakeFirst()) !== undefined

export type ProposalRow = NonNullable<Awaited<ReturnType<typeof findOpenProposal>>>

type End = {
  by: string | null
  outcome: 'confirmed' | 'declined' | 'withdrawn' | 'overtaken'
  reason?: string
}

/** Ends the open proposal. Returns whether there was one. */
export async function endProposal(db: Tx, { by, outcome, reason = '' }: End): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sale_proposal')
    .set({ ended_at: sql<Date>`now()`, ended_by: by, outcome, reason })
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Expires proposals that no one confirmed in time, or whose author may no longer change the settings. Regaining the
 * right does not restore a proposal.
 */
export async function expireProposals(db: Tx): Promise<void> {
  await db
    .updateTable('sale_proposal')
    .from('member')
    .set({ ended_at: sql<Date>`now()`, outcome: 'expired' })
    .whereRef('member.id', '=', 'sale_proposal.proposed_by')
    .where('ended_at', 'is', null)
    .where(({ eb, or }) =>
      or([
        eb('proposed_at', '<=', ago(proposalLife)),
        eb('member.active', '=', false),
        eb('member.manage_coins', '<', 2),
      ]),
    )
    .execute()
}
