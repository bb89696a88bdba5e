import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import type { Colleague } from '#contract/people/assignment.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { findColleague, listColleagues, type RecordLevel } from './colleague.queries.ts'

type Assignable = 'order' | 'member'

const actions: { [Kind in Assignable]: AuditActionOn<Kind> } = {
  order: 'order-assigned',
  member: 'member-assigned',
}

type Serving = {
  level: RecordLevel
  /** Locks the record. Refuses one that does not exist, or on which the caller must not act. */
  lock: (db: Tx, context: MemberContext, id: string) => Promise<{ assignee_id: string | null }>
  /** Whether a colleague must not act on this record in spite of their level, for example because it is their own. */
  isBarred: (db: Tx, colleagueId: string, id: string) => Promise<boolean>
  save: (db: Tx, id: string, assigneeId: string | null) => Promise<unknown>
}

type Given = { params: { id: string }; body: { to: string | null; from: string | null } }

/** Creates the handlers of the endpoints that `assignmentOf` declares. */
export const serveAssignment = (kind: Assignable, { level, lock, isBarred, save }: Serving) => ({
  assign: (
    { params: { id }, body: { to, from } }: Given,
    context: MemberContext,
  ): Promise<{ assignee: Colleague | null }> =>
    transaction(context.db, async (db) => {
      const { assignee_id } = await lock(db, context, id)
      if (assignee_id !== from) throw new Refused('conflict')
      const assignee = to === null ? null : await findColleague(db, context.config, level, to)
      if (assignee === undefined || (to !== null && (await isBarred(db, to, id))))
        throw refusedField('to', 'one_of')
      if (to !== assignee_id) {
        await save(db, id, to)
        await recordAudit<Assignable>(db, {
          actorId: context.caller.memberId,
          action: actions[kind],
          subjectKind: kind,
          subjectId: id,
          detail: { to: to ?? 'nobody' },
        })
      }
      return { assignee }
    }),
  colleagues: (_: unknown, { db, config }: MemberContext): Promise<Colleague[]> =>
    listColleagues(db, config, level),
})
