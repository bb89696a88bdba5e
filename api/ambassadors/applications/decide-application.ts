import type { api } from '#contract/api.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import { formatDay } from '../../format-time.ts'
import type { Handler, MemberContext } from '../../http/handler.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { Refused } from '../../refused.ts'
import { createAmbassador } from '../profiles/create-ambassador.ts'
import { isOpen } from './application.rules.ts'
import { lockApplications, type LockedApplication } from './board.queries.ts'
import { isAsRead, lockApplication } from './open-application.ts'
import { presentApplication } from './present-application.ts'
import { changeApplication, insertStep } from './step.queries.ts'

/** Starts a review and assigns an unassigned application to the caller. */
export const reviewAmbassadorApplication: Handler<typeof api.reviewAmbassadorApplication> = (
  { params, body },
  context,
) =>
  transaction(context.db, async (db) => {
    const { caller, config } = context
    const row = await lockApplication(db, params.id, caller)
    if (row.status !== 'received' || !isAsRead(row, body.lastUpdated)) throw new Refused('conflict')
    await beginReview(db, row, caller.memberId)
    return presentApplication(db, config, caller, row.id)
  })

async function beginReview(db: Tx, row: LockedApplication, byId: string): Promise<void> {
  await changeApplication(db, row.id, { status: 'in_review', assignee_id: row.assignee_id ?? byId })
  await noteStep(db, row.id, { kind: 'in_review', byId })
}

const actions = {
  in_review: 'ambassador-application-reviewed',
  accepted: 'ambassador-application-accepted',
  declined: 'ambassador-application-declined',
} as const

/** Records a step in the application's own history and in the audit log. */
async function noteStep(
  db: Tx,
  applicationId: string,
  { kind, byId, detail }: { kind: keyof typeof actions; byId: string; detail?: { isReasonTold: boolean } },
): Promise<void> {
  await insertStep(db, { applicationId, kind, byId })
  await recordAudit(db, {
    actorId: byId,
    action: actions[kind],
    subjectKind: 'ambassador-application',
    subjectId: applicationId,
    ...(detail && { detail }),
  })
}

export const acceptAmbassadorApplication: Handler<typeof api.acceptAmbassadorApplication> = (
  { params, body },
  context,
) =>
  transaction(context.db, async (db) => {
    const { caller, config } = context
    const row = await lockApplication(db, params.id, caller)
    if (row.status !== 'in_review' || !isAsRead(row, body.lastUpdated)) throw new Refused('conflict')
    await changeApplication(db, row.id, { status: 'accepted', decided_by: caller.memberId })
    await noteStep(db, row.id, { kind: 'accepted', byId: caller.memberId })
    const { email, full_name: fullName, language } = row
    await createAmbassador(db, context, { applicationId: row.id, email, fullName, language })
    return presentApplication(db, config, caller, row.id)
  })

export const declineAmbassadorApplication: Handler<typeof api.declineAmbassadorApplication> = (
  { params, body },
  context,
) =>
  transaction(context.db, async (db) => {
    const { caller, config } = context
    const row = await lockApplication(db, params.id, caller)
    if (!isOpen(row.status) || !isAsRead(row, body.lastUpdated)) throw new Refused('conflict')
    await decline(db, row, body, context)
    return presentApplication(db, config, caller, row.id)
  })

/** Declines applications that are unchanged since they were read: all of them or, if anything fails, none. */
export const declineAmbassadorApplications: Handler<typeof api.declineAmbassadorApplications> = (
  { body },
  context,
) =>
  transaction(context.db, async (db) => {
    const asked = new Map(body.applications.map(({ id, lastUpdated }) => [id, lastUpdated]))
    const rows = await lockApplications(db, [...asked.keys()], context.caller.memberId)
    const found = new Map(rows.map((row) => [row.id, row]))
    const declined: string[] = []
    const unchanged: { id: string; why: 'changed' | 'decided' | 'own' | 'gone' }[] = []
    for (const [id, lastUpdated] of asked) {
      const row = found.get(id)
      if (!row) unchanged.push({ id, why: 'gone' })
      else if (row.is_own) unchanged.push({ id, why: 'own' })
      else if (!isOpen(row.status)) unchanged.push({ id, why: 'decided' })
      else if (!isAsRead(row, lastUpdated)) unchanged.push({ id, why: 'changed' })
      else {
        await decline(db, row, body, context)
        declined.push(id)
      }
    }
    return { declined, unchanged }
  })

type Declining = { reason: string; isReasonTold: boolean }

/**
 * Declines one application. The decision needs a review, so the history of an application that was only received shows
 * both.
 */
async function decline(
  db: Tx,
  row: LockedApplication,
  { reason, isReasonTold }: Declining,
  { keys, config, caller }: Pick<MemberContext, 'keys' | 'config' | 'caller'>,
): Promise<void> {
  const byId = caller.memberId
  if (row.status === 'received') await beginReview(db, row, byId)
  await changeApplication(db, row.id, {
    status: 'declined',
    decided_by: byId,
    reason,
    is_reason_told: isReasonTold,
  })
  await noteStep(db, row.id, { kind: 'declined', byId, detail: { isReasonTold } })
  await sendMail(db, keys, { email: row.email, language: row.language }, 'ambassador-declined', {
    reason: isReasonTold ? reason : '',
    date: formatDay(new Date(Date.now() + config.ambassadorRetention), row.language),
  })
}
