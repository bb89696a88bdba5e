import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { adminFields, employeeFields } from '#contract/people/members.ts'
import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import { revokeTokensBeyond } from '../api-tokens/revoke-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { columnsOf } from '../../platform/db/columns-of.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { staffNameWithAddress } from '../../platform/db/expressions.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { readInput } from '../../platform/http/read.ts'
import { notingFourEyes } from '../four-eyes/record-changes.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { deleteSessionsOfMember } from '../sessions/session.queries.ts'
import { askForStaffPassword, recordWithdrawnRight } from './grant-configured-rights.ts'
import { cancelErasure } from './cancel-erasure.ts'
import { requestEmailChange } from './change-email.ts'
import { isLastAdmin } from '../members/is-last-admin.ts'
import {
  getMemberById,
  listActiveAdmins,
  updateMemberRow,
  type MemberRow,
  lockMember,
} from '../members/member.queries.ts'
import {
  changeableFields,
  profileColumns,
  rightColumns,
  type MemberFields,
} from '../members/profile-columns.ts'
import {
  activationPageLink,
  consoleMemberLink,
  resetRequestLink,
  signInLink,
} from '../../platform/site-links.ts'
import { recordActivated } from './record-activated.ts'
import { presentFor } from './read-members.ts'
import { rightsOf } from '../members/rights.ts'
import { notifyAdminsOfStaffAccount, requireAdminForStaff } from '../members/staff-account.ts'

/** Rights, and whether an account is open. A new email address is checked only if it differs. */
const guardedFields = { ...adminFields, ...employeeFields }

export const updateMember: Handler<typeof api.updateMember> = async ({ body }, context) => {
  const { _id, id, lastUpdated, ...given } = body
  const targetId = _id ?? id
  if (targetId === undefined) throw refusedField('_id', 'required')
  if (_id !== undefined && id !== undefined && _id !== id) throw refusedField('id', 'mismatch')
  const { db, keys, caller } = context
  const isOwn = targetId === caller.memberId
  const names = Object.keys(given)
  requireRights(names, targetId, context)
  const max = isOwn ? 300 : 3_000
  const who = isOwn ? 'own' : 'others'
  await requireWithinLimits(db, keys, [{ key: `update ${who} ${caller.memberId}`, max, window: HOUR }])
  const change = readFields(given)

  return transaction(db, async (db) => {
    const updated = await changeMember(db, context, targetId, { change, lastUpdated })
    return presentFor(db, context.config, updated, caller.memberId)
  })
}

type Change = {
  change: MemberFields
  /** The state that the change is based on, if the caller names it. */
  lastUpdated: string | undefined
}

/** Changes a member's fields, with the side effects: ended sessions, emails, and the log entry. */
export async function changeMember(
  db: Tx,
  context: MemberContext,
  targetId: string,
  { change, lastUpdated }: Change,
): Promise<MemberRow> {
  const member = await lockChangeable(db, context, targetId, { change, lastUpdated })
  const isNewEmail = change.email !== undefined && change.email !== member.email
  if (isNewEmail || Object.keys(change).some((name) => Object.hasOwn(guardedFields, name)))
    context.caller.requireStepUp()
  const isEmailChanged =
    change.email !== undefined && (await requestEmailChange(db, context, member, change.email))
  const columns = changedColumns(member, change)
  const isChanged = (Object.keys(columns) as (keyof typeof columns)[]).some(
    (column) => columns[column] !== member[column],
  )
  // Neither a new state, which others would have to reload, nor a permanent log entry.
  if (!isChanged && !isEmailChanged) return member
  const updated = await writeChange(db, context, member, columns)
  await recordActivated(db, member, updated)
  const isClosedOrReopened = !member.closed_at !== !updated.closed_at
  // Signing in stops an erasure, so a period in which nobody could sign in must not count.
  if (isClosedOrReopened) await cancelErasure(db, context, updated)
  const { memberId: actorId } = context.caller
  await followUp(db, { ...context, actorId }, member, updated)
  if (isClosedOrReopened)
    await notifyAdminsOfStaffAccount(
      db,
      context,
      { member: updated, actorId },
      updated.closed_at ? 'staff-deactivated' : 'staff-reopened',
    )
  await recordWithdrawnRight(db, context.config, member, updated)
  await recordAudit(db, {
    actorId,
    action: 'member-updated',
    subjectKind: 'member',
    subjectId: targetId,
    detail: { fields: Object.keys(change), ...changesOf(member, updated) },
  })
  return updated
}

/** Writes the columns, and records whether four-eyes approval is turned on or off thereby. */
export function writeChange(
  db: Tx,
  services: Pick<MemberContext, 'keys' | 'config'>,
  member: MemberRow,
  columns: Partial<MemberRow>,
): Promise<MemberRow> {
  const staff = hasAnyStaffRight(rightsOf(member)) ? member : { ...member, ...columns }
  return notingFourEyes(db, services, staff, () => updateMemberRow(db, member.id, columns))
}

async function lockChangeable(
  db: Tx,
  { config, caller }: MemberContext,
  targetId: string,
  { change, lastUpdated }: Change,
): Promise<MemberRow> {
  const losesAdmin = change.isWriteAccessAdmin === false || change.active === false
  // Before any other row is locked.
  const isLast = losesAdmin && (await isLastAdmin(db, config, targetId))
  const member = await lockMember(db, targetId)
  if (!member || member.erased_at) throw new Refused('not_found')
  if (change.active !== undefined) requireAdminForStaff(caller, member)
  if (lastUpdated !== undefined && lastUpdated !== member.updated_at.toISOString())
    throw new Refused('conflict')
  if (isLast) throw new Refused('last_admin')
  return member
}

const changedColumns = (member: MemberRow, change: MemberFields) => ({
  ...columnsOf(profileColumns, change),
  // Without a password nobody could sign in: staff reopen it for its activation.
  ...(change.active && member.password_hash === null ? { active: false } : {}),
  // Also for an account that was not active yet, because its activation must not open it.
  ...(change.active === undefined
    ? {}
    : { closed_at: change.active ? null : (member.closed_at ?? new Date()) }),
})

/** Changes of rights and state, before and after, without personal data. */
export function changesOf(before: MemberRow, after: MemberRow): { changes?: string[] } {
  const guarded = Object.keys(guardedFields) as (keyof typeof guardedFields)[]
  const changes = guarded.flatMap((field) => {
    const column = profileColumns[field]
    return before[column] === after[column] ? [] : [`${field} ${before[column]} → ${after[column]}`]
  })
  return changes.length > 0 ? { changes } : {}
}

/** A single field that is unknown or beyond the caller's rights refuses the whole change. */
function requireRights(names: readonly string[], targetId: string, { caller }: MemberContext): void {
  const hasAny = (group: object) => names.some((name) => Object.hasOwn(group, name))
  const isOwn = targetId === caller.memberId
  const needsAdmin = hasAny(adminFields)
  if (!isOwn || needsAdmin || hasAny(employeeFields)) caller.requireStaff()
  if (needsAdmin && !caller.rights.isWriteAccessAdmin) throw new Refused('forbidden')
  if (names.some((name) => !Object.hasOwn(changeableFields.def.shape, name))) throw new Refused('forbidden')
}

const readFields = (given: unknown): MemberFields =>
  readInput({ body: changeableFields } as unknown as Parameters<typeof readInput>[0], {
    params: undefined,
    query: undefined,
    body: given,
  }).body as MemberFields

/** `actorId` is null for a command on the server. */
type ActingContext = Pick<MemberContext, 'keys' | 'config'> & { actorId: string | null }

/**
 * A change of rights or a deactivation ends the member's sessions and excessive API tokens at once and is emailed to
 * them.
 */
export async function followUp(
  db: Tx,
  { keys, config, actorId }: ActingContext,
  before: MemberRow,
  after: MemberRow,
): Promise<void> {
  const haveRightsChanged = rightColumns.some((column) => before[column] !== after[column])
  const isDeactivated = before.active && !after.active
  if (before.closed_at && !after.closed_at)
    await (after.active
      ? sendMail(db, keys, after, 'account-reopened', { link: signInLink(config) })
      : sendMail(db, keys, after, 'account-reopened-inactive', {
          link: activationPageLink(config, after.email),
        }))
  await revokeTokensBeyond(db, before, after, actorId)
  if (!haveRightsChanged && !isDeactivated) return
  await deleteSessionsOfMember(db, after.id)
  await sendMail(db, keys, after, isDeactivated ? 'account-deactivated' : 'rights-changed', {
    link: signInLink(config),
    resetLink: resetRequestLink(config),
  })
  if (!before.is_write_access_admin && after.is_write_access_admin)
    await notifyPromoter(db, { keys, actorId }, after)
  if (haveRightsChanged) await notifyAdministrators(db, { keys, config, actorId }, after)
  const hasRight = hasAnyStaffRight(rightsOf(after))
  if (haveRightsChanged && hasRight && after.active && !after.password_length_ok_for_staff)
    await askForStaffPassword(db, keys, config, after)
}

/** The acting administrator is emailed too, because someone else may be using their session. */
async function notifyPromoter(
  db: Tx,
  { keys, actorId }: Omit<ActingContext, 'config'>,
  promoted: MemberRow,
): Promise<void> {
  if (actorId === null) return
  const promoter = await getMemberById(db, actorId)
  await sendMail(db, keys, promoter, 'administrator-made', {
    name: promoted.display_name || promoted.email,
    email: promoted.email,
  })
}

/** Every other administrator, because all of them must know who holds the rights. */
async function notifyAdministrators(
  db: Tx,
  { keys, config, actorId }: ActingContext,
  changed: MemberRow,
): Promise<void> {
  const actor = actorId === null ? undefined : await getMemberById(db, actorId)
  const link = consoleMemberLink(config, changed.id)
  const about = { name: changed.display_name || changed.email, email: changed.email, link }
  for (const admin of await listActiveAdmins(db)) {
    if (admin.id === actorId || admin.id === changed.id) continue
    await (actor
      ? sendMail(db, keys, admin, 'rights-changed-by', {
          by: staffNameWithAddress(actor, admin.language),
          ...about,
        })
      : sendMail(db, keys, admin, 'staff-rights-by-command', about))
  }
}
