import { sql } from 'kysely'
import type { ApplicationStepKind } from '#contract/console-ambassadors.ts'
import type { Tx } from '../../db/database.ts'
import { staffName } from '../../db/expressions.ts'
import { nextChange } from './application.queries.ts'

type Change = {
  status?: 'in_review' | 'accepted' | 'declined'
  assignee_id?: string | null
  decided_by?: string
  reason?: string
  is_reason_told?: boolean
}

/** Changes an application and records when its new status began. */
export async function changeApplication(db: Tx, id: string, change: Change): Promise<void> {
  await db
    .updateTable('ambassador_application')
    .set({ ...change, ...(change.status && { state_at: sql`now()` }), updated_at: nextChange })
    .where('id', '=', id)
    .execute()
}

export async function insertStep(
  db: Tx,
  step: { applicationId: string; kind: ApplicationStepKind; byId: string; toId?: string | null },
): Promise<void> {
  await db
    .insertInto('ambassador_step')
    .values({
      application_id: step.applicationId,
      kind: step.kind,
      by_member_id: step.byId,
      to_member_id: step.toId ?? null,
    })
    .execute()
}

/** Lists steps, newest first. */
export const listSteps = (db: Tx, applicationId: string, limit: number) =>
  db
    .selectFrom('ambassador_step')
    .leftJoin('member as actor', (join) =>
      join.onRef('actor.id', '=', 'by_member_id').on('actor.erased_at', 'is', null),
    )
    .leftJoin('member as receiver', (join) =>
      join.onRef('receiver.id', '=', 'to_member_id').on('receiver.erased_at', 'is', null),
    )
    .select(['ambassador_step.id', 'kind', 'at'])
    .select([staffName('actor').as('by_name'), staffName('receiver').as('to_name')])
    .where('application_id', '=', applicationId)
    .orderBy('ambassador_step.id', 'desc')
    .limit(limit)
    .execute()
