import {
  applicationWaitMax,
  duplicatesMax,
  shownMax,
  type ApplicationDetail,
  type ListedApplication,
} from '#contract/console-ambassadors.ts'
import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import type { Caller } from '../../http/caller.ts'
import { Refused } from '../../refused.ts'
import { isOpen } from './application.rules.ts'
import { findApplication, type ShownRow } from './board.queries.ts'
import { findDuplicates, listDuplicated } from './duplicate.queries.ts'
import { listNotes } from './note.queries.ts'
import { listSteps } from './step.queries.ts'

type Presented = Omit<ShownRow, 'assignee_display_name' | 'assignee_email'>

type Times = Pick<Config, 'ambassadorRetention' | 'ambassadorPatience'>

function presentRow(row: Presented, times: Times, hasDuplicate: boolean): ListedApplication {
  return {
    id: row.id,
    fullName: row.full_name,
    city: row.city,
    country: row.country,
    language: row.language,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    stateAt: row.state_at.toISOString(),
    lastUpdated: row.updated_at.toISOString(),
    sentAgainAt: row.sent_again_at?.toISOString() ?? null,
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name },
    hasDuplicate,
    waitsLong: isOpen(row.status) && Date.now() - row.created_at.getTime() > applicationWaitMax,
    erasedAt: erasureOf(row, times)?.toISOString() ?? null,
    ambassadorId: row.ambassador_id,
  }
}

/** Returns when the application will be erased. An accepted one is kept as long as its ambassador. */
function erasureOf({ status, state_at }: Presented, times: Times): Date | null {
  if (status === 'accepted') return null
  const life = status === 'declined' ? times.ambassadorRetention : times.ambassadorPatience
  return new Date(state_at.getTime() + life)
}

export async function presentRows(
  db: Tx,
  times: Times,
  readerId: string,
  rows: readonly ShownRow[],
): Promise<ListedApplication[]> {
  const duplicated = await listDuplicated(
    db,
    readerId,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => presentRow(row, times, duplicated.has(row.id)))
}

/** Presents an application. For their own application, staff are treated as its subject. */
export async function presentApplication(
  db: Tx,
  times: Times,
  caller: Caller,
  id: string,
): Promise<ApplicationDetail> {
  const row = await findApplication(db, id, caller.memberId)
  if (!row) throw new Refused('not_found')
  if (row.is_own) throw new Refused('forbidden')
  const duplicates = await findDuplicates(db, id, caller.memberId, duplicatesMax)
  const notes = await listNotes(db, id, shownMax)
  const steps = await listSteps(db, id, shownMax)
  return {
    ...presentRow(row, times, duplicates.length > 0),
    email: row.email,
    memberId: row.sender_id,
    socialMedia: row.social_media as string[],
    description: row.description,
    reason: row.reason,
    isReasonTold: row.is_reason_told,
    isErasable: !row.has_joined,
    notes: notes.map((note) => ({
      id: note.id,
      text: note.text,
      at: note.at.toISOString(),
      by: note.author,
      isRemovable: mayRemove(caller, note.author_id),
    })),
    steps: steps.map((step) => ({
      id: step.id,
      kind: step.kind,
      at: step.at.toISOString(),
      by: step.by_name,
      to: step.to_name,
    })),
    duplicates: duplicates.map((other) => ({
      id: other.id,
      fullName: other.full_name,
      city: other.city,
      country: other.country,
      status: other.status,
      createdAt: other.created_at.toISOString(),
      by: [
        ...(other.by_name ? (['name'] as const) : []),
        ...(other.by_link ? (['link'] as const) : []),
        ...(other.by_mailbox ? (['mailbox'] as const) : []),
      ],
    })),
  }
}

const mayRemove = ({ memberId, rights }: Caller, authorId: string | null): boolean =>
  rights.isWriteAccessAdmin || (rights.manageEmployee === 2 && authorId === memberId)
