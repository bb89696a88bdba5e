import type { api } from '#contract/api.ts'
import { roundGuests, type RoundGuest } from '#contract/money/sale-rounds.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction } from '../../platform/db/database.ts'
import { utc, type CsvColumns } from '../../platform/http/csv-download.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { serveResource } from '../../platform/resource/serve-resource.ts'
import {
  deleteGuests,
  insertGuests,
  listGuestRows,
  lockGuests,
  type GuestRow,
} from './round-guest.queries.ts'

const presentGuest = (row: GuestRow): RoundGuest => ({
  id: row.id,
  roundId: row.round_id,
  email: row.email,
  addedBy: row.added_by === null ? null : { id: row.added_by, name: row.adder_name ?? '' },
  addedAt: row.added_at.toISOString(),
})

const columns: CsvColumns<GuestRow> = [
  ['round', (row) => row.round_id],
  ['email', (row) => row.email],
  ['added', (row) => utc(row.added_at)],
  ['addedBy', (row) => row.adder_name ?? ''],
]

export const { list: listRoundGuests, file: exportRoundGuests } = serveResource(roundGuests, {
  read: ({ db }, filters, page) => listGuestRows(db, filters, page),
  present: (_, rows) => rows.map(presentGuest),
  file: {
    columns,
    lines: (_, rows) => rows,
  },
})

/** An address in both lists is on the list afterwards. */
export const changeRoundGuests: Handler<typeof api.changeRoundGuests> = async (
  { params: { id }, body: { add, remove } },
  { db, caller },
) => {
  caller.requireStepUp()
  return transaction(db, async (db) => {
    if (!(await lockGuests(db, id))) throw new Refused('not_found')
    const removed = await deleteGuests(db, id, remove)
    const added = await insertGuests(db, { roundId: id, emails: [...new Set(add)], by: caller.memberId })
    if (added + removed > 0)
      await recordAudit(db, {
        actorId: caller.memberId,
        action: 'sale-guests-changed',
        subjectKind: 'sale',
        subjectId: null,
        detail: { added, removed },
      })
    return { added, removed }
  })
}
