import type { Tx } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { lockDeliveries } from '../deliveries/delivery-state.queries.ts'
import { isApprovalBy } from '../orders/four-eyes.ts'
import { lockOrders } from '../orders/order.queries.ts'
import { listFinanceOfficers } from '../../people/members/approver.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import type { TokenSetting } from '../../platform/config/read-token.ts'
import { findWatch } from '../chains/chain.queries.ts'
import { findOpenHold } from './hold.queries.ts'
import { listFrozenItems, listPartsOfRun, lockRun, type RunRow } from './payout.queries.ts'
import { hashOf, textOfRun } from './run-hash.rules.ts'
import type { RunToExport } from './run-files.rules.ts'
import { isAnySeen } from './transfer.queries.ts'

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

/** Whether both officers of a run that needed two have had the right since they froze and approved it. */
export async function haveKeptRight(
  db: Tx,
  config: Config,
  { frozen_by: author, frozen_at: since, approved_by: approver, approved_at: approvedAt }: RunRow,
): Promise<boolean> {
  const officers = new Map((await listFinanceOfficers(db, config)).map((each) => [each.id, each]))
  const hasKept = (id: string | null, at: Date | null) => {
    const officer = id === null ? undefined : officers.get(id)
    return officer !== undefined && at !== null && !(officer.finance_lost_at && officer.finance_lost_at >= at)
  }
  return hasKept(author, since) && hasKept(approver, approvedAt)
}

/** Whether the transfers of the token of a run are read from a node. */
export const isWatched = (
  { watch, network, contract }: TokenSetting,
  run: Pick<RunRow, 'network' | 'contract'>,
): boolean => watch !== null && network === run.network && contract === run.contract

/** If the network is read, it must show that nothing was sent, up to the time of the proposal. */
export async function requireUnseen(
  db: Tx,
  token: TokenSetting,
  run: RunRow,
  { items, since }: { items: readonly { id: string }[]; since: Date | null },
): Promise<void> {
  if (!isWatched(token, run)) return
  const known = await findWatch(db, token.watch!.chain.coin)
  if (!known?.looked_at || known.failure !== null || (since && known.looked_at < since))
    throw new Refused('network_unread')
  const ids = items.map(({ id }) => id)
  if (await isAnySeen(db, ids)) throw new Refused('transfer_seen')
}

/** Every amount in the files would be wrong if the token were another one. */
export async function requireRightToken(db: Tx, { watch }: TokenSetting): Promise<void> {
  const known = watch && (await findWatch(db, watch.chain.coin))
  if (known && ['wrong_network', 'wrong_token'].includes(known.failure ?? ''))
    throw new Refused('wrong_token')
}

/**
 * Locks the orders and deliveries of a run, in the order in which everything locks them, before the run itself. They
 * never change.
 */
export async function lockParts(db: Tx, id: string): Promise<void> {
  const parts = await listPartsOfRun(db, id)
  if (parts.length === 0) return
  await lockOrders(db, [...new Set(parts.map(({ order_id }) => order_id))])
  await lockDeliveries(
    db,
    parts.map((part) => part.id),
  )
}

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
