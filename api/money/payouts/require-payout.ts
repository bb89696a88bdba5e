import type { Tx } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { isApprovalBy } from '../orders/four-eyes.ts'
import { listFinanceOfficers } from '../../people/members/approver.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import { findOpenHold } from './hold.queries.ts'
import { listFrozenItems, listPartsOfRun, lockRun, type RunRow } from './payout.queries.ts'
import { hashOf, textOfRun } from './run-hash.rules.ts'
import type { RunToExport } from './run-files.rules.ts'

export const secondPerson = (path: string): Refused =>
  new Refused('conflict', { fields: [{ path, code: 'second_person' }] })

export async function requireNoHold(db: Tx): Promise<void> {
  if (await findOpenHold(db)) throw new Refused('payouts_on_hold')
}

/** Locks a run. Officers can't act on one that pays them. */
export async function lockOtherMembersRun(
  db: Tx,
  id: string,
  { memberId }: MemberContext['caller'],
): Promise<RunRow> {
  const run = await lockRun(db, id)
  if (!run) throw new Refused('not_found')
  const parts = await listPartsOfRun(db, id)
  if (parts.some((part) => part.member_id === memberId)) throw new Refused('forbidden')
  return run
}

/** Whether an officer has held the right since the time, which is at most three days ago. */
export const isStillOfficer = async (
  db: Tx,
  config: Config,
  by: string | null,
  at: Date | null,
): Promise<boolean> =>
  isApprovalBy(
    { completion_proposed_by: by, completion_proposed_at: at },
    await listFinanceOfficers(db, config),
  )

/**
 * Reads what a run covers. Throws if it isn't what was frozen: then someone changed the database, and nothing may be
 * paid from it.
 */
export async function readFrozen(db: Tx, run: RunRow): Promise<RunToExport> {
  const frozen = {
    number: run.number,
    network: run.network,
    contract: run.contract,
    decimals: run.decimals,
    items: await listFrozenItems(db, run.id),
  }
  if (frozen.items.length !== run.items || hashOf(textOfRun(frozen)) !== run.hash)
    throw new Error(`payout run ${run.number} differs from what was frozen; its hash does not match`)
  return { ...frozen, hash: run.hash, frozenAt: run.frozen_at }
}
