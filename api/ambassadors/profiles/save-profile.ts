import type { ProfileWords } from '#contract/ambassador-profiles.ts'
import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import { completeLanguages, type Language } from '#contract/languages.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { lockActiveMember } from '../../members/member.queries.ts'
import { abandonFiles, discardFiles, settleFiles } from '../../pending-files/pending-file.queries.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { Refused, type FieldRefusal } from '../../refused.ts'
import { keysOfPicture, storeAmbassadorPicture } from './ambassador-picture.ts'
import { lockAmbassadorOfMember } from './ambassador.queries.ts'
import { presentOwn } from './own-ambassador.ts'
import { findApproved, findInWork, listPictures, saveInWork } from './profile.queries.ts'

const perHourMax = 120

export const saveAmbassadorProfile: Handler<typeof api.saveAmbassadorProfile> = async ({ body }, context) => {
  const { db, keys, files, uploads, caller } = context
  const { memberId } = caller
  await requireWithinLimits(db, keys, [
    { key: `ambassador profile ${memberId}`, max: perHourMax, window: HOUR },
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
