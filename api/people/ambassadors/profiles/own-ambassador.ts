import type { OwnAmbassador, ProfileWords } from '#contract/people/ambassador-profiles.ts'
import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { completeLanguages, type Language } from '#contract/platform/languages.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { announceChange } from '../../../platform/db/changes.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { getMemberById, lockActiveMember, lockMember } from '../../members/member.queries.ts'
import {
  abandonFiles,
  discardFiles,
  settleFiles,
} from '../../../platform/pending-files/pending-file.queries.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused, type FieldRefusal } from '../../../platform/refused.ts'
import type { Services } from '../../../platform/services.ts'
import { moveApplications } from '../applications/application.queries.ts'
import { recordLoops } from '../results/record-invitation.ts'
import { keysOfPicture, storeAmbassadorPicture } from './ambassador-picture.ts'
import {
  bindAmbassador,
  deleteInvitation,
  findAmbassadorOfMember,
  isInvited,
  lockAmbassadorOfMember,
  lockInvited,
  renewAmbassador,
} from './ambassador.queries.ts'
import { readVersions, standingOf } from './present-profile.ts'
import { findApproved, findInWork, listPictures, saveInWork } from './profile.queries.ts'

/**
 * An account with an unverified mailbox must not learn of an invitation: it may belong to a stranger who signed up with
 * someone else's address. A former ambassador who is invited at their current address may join again.
 */
async function presentOwn(
  { db, files }: Pick<Services, 'db' | 'files'>,
  memberId: string,
): Promise<OwnAmbassador> {
  const row = await findAmbassadorOfMember(db, memberId)
  if (!row || row.ended_at) {
    const member = await getMemberById(db, memberId)
    if (member.address_proved_at && (await isInvited(db, member.email)))
      return { state: 'invited', ambassador: null }
    if (!row) return { state: member.address_proved_at ? 'none' : 'unproved', ambassador: null }
  }
  return {
    state: 'joined',
    ambassador: {
      id: row.id,
      since: row.since.toISOString(),
      slug: row.slug,
      code: row.code,
      standing: standingOf(row),
      reason: row.reason,
      ...(await readVersions(files, db, row.id)),
    },
  }
}

export const getOwnAmbassador: Handler<typeof api.getOwnAmbassador> = (_, context) =>
  presentOwn(context, context.caller.memberId)

/**
 * Joins the invited ambassador with the account that has verified the mailbox now. Afterwards, the ambassador stays
 * with the account.
 */
export const joinAsAmbassador: Handler<typeof api.joinAsAmbassador> = async (_, context) => {
  const { memberId } = context.caller
  await transaction(context.db, async (db) => {
    const member = await lockMember(db, memberId)
    if (!member?.active) throw new Refused('session_expired')
    const before = await lockAmbassadorOfMember(db, memberId)
    if (before && !before.ended_at) return
    const invited = member.address_proved_at && (await lockInvited(db, member.email))
    if (!invited && before) return
    if (!invited) throw new Refused('not_found')
    const joined = before ?? invited
    if (before) {
      // An account has one ambassador: a former one becomes active again with the same page address.
      await moveApplications(db, invited.id, before.id)
      await deleteInvitation(db, invited.id)
      await renewAmbassador(db, before.id)
      await announceChange(db, 'ambassadors')
    } else await bindAmbassador(db, invited.id, memberId)
    await recordLoops(db, memberId)
    await recordAudit(db, {
      actorId: memberId,
      action: 'ambassador-joined',
      subjectKind: 'ambassador',
      subjectId: joined.id,
    })
  })
  return presentOwn(context, memberId)
}

const savesPerHourMax = 120

export const saveAmbassadorProfile: Handler<typeof api.saveAmbassadorProfile> = async ({ body }, context) => {
  const { db, keys, files, uploads, caller } = context
  const { memberId } = caller
  await requireWithinLimits(db, keys, [
    { key: `ambassador profile ${memberId}`, max: savesPerHourMax, window: HOUR },
  ])
  if (body.submit) requireOneLanguage(body)
  const stored = body.picture
    ? await storeAmbassadorPicture(context, body.picture, { memberId, uploads })
    : null
  const storedKeys = stored === null ? [] : keysOfPicture(stored)
  try {
    await transaction(db, async (db) => {
      // Locked first, in the order of erasure: a member erased meanwhile must not get data again.
      if (!(await lockActiveMember(db, memberId))) throw new Refused('session_expired')
      const ambassador = await lockAmbassadorOfMember(db, memberId)
      if (!ambassador) throw new Refused('not_found')
      const approved = await findApproved(db, ambassador.id)
      const known = (await findInWork(db, ambassador.id)) ?? approved
      const isLatest = body.basedOn === (known?.updated_at.toISOString() ?? null)
      if (ambassador.ended_at || !isLatest) throw new Refused('conflict')
      const before = await listPictures(db, ambassador.id)
      const picture = body.picture === undefined ? (known?.picture ?? null) : stored
      await saveInWork(db, ambassador.id, { ...body, picture }, body.submit)
      await settleFiles(db, storedKeys)
      const after = await listPictures(db, ambassador.id)
      await abandonFiles(db, before.filter((name) => !after.includes(name)).flatMap(keysOfPicture))
    })
  } catch (error) {
    await discardFiles(db, files, storedKeys)
    throw error
  }
  return presentOwn(context, memberId)
}

/** Requires that the ambassador completes one language; a reviewer may complete the other. */
function requireOneLanguage(given: Record<Language, ProfileWords>): void {
  const missing = completeLanguages.map((language) => missingIn(language, given[language]))
  if (missing.some((fields) => fields.length === 0)) return
  const begun = completeLanguages.findIndex((language) => Object.values(given[language]).some(Boolean))
  throw new Refused('validation_failed', { fields: missing[Math.max(0, begun)]! })
}

export const missingIn = (language: Language, words: ProfileWords): FieldRefusal[] =>
  (['name', 'place', 'sentence'] as const).flatMap((field) =>
    words[field] === '' ? [{ path: `${language}.${field}`, code: 'required' as const }] : [],
  )
