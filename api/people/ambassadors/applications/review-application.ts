import { api } from '#contract/api.ts'
import type { AmbassadorState } from '#contract/people/ambassadors.ts'
import type { ApplicationDetail } from '#contract/people/console-ambassadors.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import { formatDay } from '../../../platform/text/format-time.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { deleteAmbassadorMailsTo } from '../../../platform/mail/mail.queries.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { serveBulk } from '../../../platform/resource/serve-bulk.ts'
import { serveNotes } from '../../notes/serve-notes.ts'
import { lockAmbassador } from '../profiles/ambassador.queries.ts'
import { createAmbassador } from '../profiles/create-ambassador.ts'
import {
  changeApplication,
  insertStep,
  isAddressKnown,
  lockApplications,
  type LockedApplication,
} from './application.queries.ts'
import { findAssignable } from './board.queries.ts'
import { eraseApplication } from './erase-applications.ts'
import { presentApplication } from './read-applications.ts'

type Deciding = Pick<MemberContext, 'keys' | 'config' | 'caller'>
type Recorded = {
  id: string
  action: 'reviewed' | 'assigned' | 'accepted' | 'declined' | 'erased'
  detail?: { to?: string; isReasonTold?: boolean }
}

const recordAction = (db: Tx, { caller }: Deciding, { id, action, detail = {} }: Recorded) =>
  recordAudit(db, {
    actorId: caller.memberId,
    action: `ambassador-application-${action}`,
    subjectKind: 'ambassador-application',
    subjectId: id,
    detail,
  })

const actionOf = {
  in_review: 'reviewed',
  assigned: 'assigned',
  released: 'assigned',
  accepted: 'accepted',
  declined: 'declined',
} as const

type ReviewStep = Omit<Recorded, 'action'> & { kind: keyof typeof actionOf; to?: string | null }

/** Records a step in the application's own history and in the audit log. */
async function recordStep(
  db: Tx,
  context: Deciding,
  { kind, to = null, ...entry }: ReviewStep,
): Promise<void> {
  await insertStep(db, {
    application_id: entry.id,
    kind,
    by_member_id: context.caller.memberId,
    to_member_id: to,
  })
  await recordAction(db, context, { ...entry, action: actionOf[kind] })
}

/** Locks an application until the transaction ends; rejects its own sender. */
async function lockApplication(db: Tx, id: string, { caller }: Deciding): Promise<LockedApplication> {
  const [row] = await lockApplications(db, [id], caller.memberId)
  if (!row) throw new Refused('not_found')
  if (row.is_own) throw new Refused('forbidden')
  return row
}

const isAsRead = (row: LockedApplication, lastUpdated: string): boolean =>
  row.updated_at.toISOString() === lastUpdated

type Step = (db: Tx, row: LockedApplication) => Promise<unknown>

const change = (context: MemberContext, id: string, step: Step): Promise<ApplicationDetail> =>
  transaction(context.db, async (db) => {
    await step(db, await lockApplication(db, id, context))
    return presentApplication({ ...context, db }, id)
  })

type Given = { params: { id: string }; body: { lastUpdated: string } }

/** Changes an application in one of the given states that is unchanged since the caller read it. */
const changeAsRead = (
  { params, body }: Given,
  context: MemberContext,
  states: readonly AmbassadorState[],
  step: Step,
): Promise<ApplicationDetail> =>
  change(context, params.id, (db, row) => {
    if (!states.includes(row.status) || !isAsRead(row, body.lastUpdated)) throw new Refused('conflict')
    return step(db, row)
  })

export const {
  add: addApplicationNote,
  remove: removeApplicationNote,
  readers: listApplicationReaders,
} = serveNotes('ambassador-application', {
  require: (db, context, id) => lockApplication(db, id, context),
  present: presentApplication,
})

/** Assigns an application to someone who may act on it. A decided one stays with its assignee. */
export const assignAmbassadorApplication: Handler<typeof api.assignAmbassadorApplication> = (
  input,
  context,
) =>
  changeAsRead(input, context, ['received', 'in_review'], async (db, { id, assignee_id }) => {
    const { to } = input.body
    if (to !== null && !(await findAssignable(db, context.config, to, id))) throw refusedField('to', 'one_of')
    if (to === assignee_id) return
    await changeApplication(db, id, { assignee_id: to })
    const kind = to === null ? 'released' : 'assigned'
    await recordStep(db, context, { id, kind, to, detail: { to: to ?? 'nobody' } })
  })

/** Starts a review and assigns an unassigned application to the caller. */
export const reviewAmbassadorApplication: Handler<typeof api.reviewAmbassadorApplication> = (
  input,
  context,
) => changeAsRead(input, context, ['received'], (db, row) => beginReview(db, row, context))

async function beginReview(db: Tx, { id, assignee_id }: LockedApplication, context: Deciding): Promise<void> {
  await changeApplication(db, id, {
    status: 'in_review',
    assignee_id: assignee_id ?? context.caller.memberId,
  })
  await recordStep(db, context, { id, kind: 'in_review' })
}

export const acceptAmbassadorApplication: Handler<typeof api.acceptAmbassadorApplication> = (
  input,
  context,
) =>
  changeAsRead(input, context, ['in_review'], async (db, { id, email, full_name, language }) => {
    await changeApplication(db, id, { status: 'accepted', decided_by: context.caller.memberId })
    await recordStep(db, context, { id, kind: 'accepted' })
    await createAmbassador(db, context, { applicationId: id, email, fullName: full_name, language })
  })

export const declineAmbassadorApplication: Handler<typeof api.declineAmbassadorApplication> = (
  input,
  context,
) =>
  changeAsRead(input, context, ['received', 'in_review'], (db, row) => decline(db, row, input.body, context))

export const declineAmbassadorApplications = serveBulk(
  api.declineAmbassadorApplications,
  api.declineAmbassadorApplication,
  {
    handle: declineAmbassadorApplication,
    input: ({ id, version }, { reason, isReasonTold }) => ({
      params: { id },
      body: { lastUpdated: version, reason, isReasonTold },
    }),
  },
)

export const assignAmbassadorApplications = serveBulk(
  api.assignAmbassadorApplications,
  api.assignAmbassadorApplication,
  {
    handle: assignAmbassadorApplication,
    input: ({ id, version }, { to }) => ({ params: { id }, body: { lastUpdated: version, to } }),
  },
)

/**
 * Declines one application. The decision needs a review, so the history of an application that was only received shows
 * both.
 */
async function decline(
  db: Tx,
  row: LockedApplication,
  { reason, isReasonTold }: { reason: string; isReasonTold: boolean },
  context: Deciding,
): Promise<void> {
  const { id, email, language } = row
  if (row.status === 'received') await beginReview(db, row, context)
  await changeApplication(db, id, {
    status: 'declined',
    decided_by: context.caller.memberId,
    reason,
    is_reason_told: isReasonTold,
  })
  await recordStep(db, context, { id, kind: 'declined', detail: { isReasonTold } })
  await sendMail(db, context.keys, { email, language }, 'ambassador-declined', {
    reason: isReasonTold ? reason : '',
    date: formatDay(new Date(Date.now() + context.config.ambassadorRetention), language),
  })
}

/**
 * Erases an application, as the receipt promises to people who did not apply themselves. Members who joined can erase
 * it with their account.
 */
export const eraseAmbassadorApplication: Handler<typeof api.eraseAmbassadorApplication> = (
  { params },
  context,
) =>
  transaction(context.db, async (db) => {
    const { id, email, ambassador_id } = await lockApplication(db, params.id, context)
    const ambassador = ambassador_id && (await lockAmbassador(db, ambassador_id, context.caller.memberId))
    if (ambassador && ambassador.member_id !== null) throw new Refused('conflict')
    await eraseApplication(db, id)
    // The emails may concern another application from the same address.
    if (!(await isAddressKnown(db, email))) await deleteAmbassadorMailsTo(db, email)
    await recordAction(db, context, { id, action: 'erased' })
    return { erased: true }
  })
