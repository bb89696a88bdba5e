import type { api } from '#contract/api.ts'
import type { ConsoleMemberDetail } from '#contract/console-members.ts'
import { DAY } from '#contract/durations.ts'
import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import type { Caller } from '../../http/caller.ts'
import type { Handler } from '../../http/handler.ts'
import { findRefusalOf } from '../../mail/bounces/mailbox-refusal.queries.ts'
import { presentRefusal } from '../../mail/bounces/present-refusal.ts'
import { findMemberById, findSummary } from '../../members/member.queries.ts'
import { Refused } from '../../refused.ts'
import { kindsOfFactor } from '../../sessions/factors.ts'
import { countSessionsOfMember } from '../../sessions/session.queries.ts'
import { findErasureRequest } from '../erasure-request.queries.ts'
import { presentListed } from './list-members.ts'
import { listMemberNotes } from './member-note.queries.ts'

/** How long a member has to stop an erasure that somebody asked for in their name. */
export const erasureWait = DAY
const notesShown = 50

export const getConsoleMember: Handler<typeof api.getConsoleMember> = ({ params }, { db, config, caller }) =>
  presentMember(db, config, caller, params.id)

export async function presentMember(
  db: Tx,
  config: Config,
  caller: Caller,
  id: string,
): Promise<ConsoleMemberDetail> {
  const row = await findMemberById(db, id)
  const summary = row && (await findSummary(db, id))
  if (!row || !summary) throw new Refused('not_found')
  const { rows: notes } = await listMemberNotes(db, id, { limit: notesShown })
  const refusal = await findRefusalOf(db, id)
  const erasure = await findErasureRequest(db, id)
  return {
    ...presentListed({ ...row, ...summary }, config),
    displayName: row.display_name,
    firstName: row.first_name,
    midName: row.mid_name,
    lastName: row.last_name,
    language: row.language,
    closedAt: row.closed_at?.toISOString() ?? null,
    sessions: await countSessionsOfMember(db, id),
    factors: [...(await kindsOfFactor(db, id))],
    lastUpdated: row.updated_at.toISOString(),
    mailbox: refusal ? presentRefusal(refusal) : null,
    notes: notes.map((note) => ({
      id: note.id,
      kind: note.kind,
      text: note.text,
      at: note.at.toISOString(),
      by: note.author,
      isRemovable: note.kind === 'note' && mayRemove(caller, note.author_id),
    })),
    erasure: erasure
      ? {
          openedAt: erasure.opened_at.toISOString(),
          openedBy: erasure.opener,
          isOwn: erasure.opened_by === caller.memberId,
          reason: erasure.reason,
          dueAt: new Date(erasure.opened_at.getTime() + erasureWait).toISOString(),
        }
      : null,
  }
}

const mayRemove = ({ memberId, rights }: Caller, authorId: string | null): boolean =>
  rights.isWriteAccessAdmin || (rights.manageEmployee === 2 && authorId === memberId)
