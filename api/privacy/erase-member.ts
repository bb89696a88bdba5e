import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/durations.ts'
import { erasedCategories, retainedCategories, type RetainedData } from '#contract/privacy.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { sendMail } from '../mail/send-mail.ts'
import { countAdmins, getMemberById, lockAdmins, lockMember } from '../members/member.queries.ts'
import { retention } from '../members/retention.ts'
import type { DataSubject, ErasedCategory, RetainedCategory, RetainedCategories, Noun } from '../noun.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { Refused } from '../refused.ts'
import { describeRetained } from './describe-retained.ts'

export function makeErasure(nouns: readonly Noun[]) {
  const personal = nouns.flatMap((noun) => noun.personal ?? [])

  const eraseMember: Handler<typeof api.eraseMember> = async (
    { body },
    { db, keys, passwords, caller, answer },
  ) => {
    caller.requireStepUp()
    await requireWithinLimits(db, keys, [{ key: `erase ${caller.memberId}`, max: 10, window: 15 * MINUTE }])
    const known = await getMemberById(db, caller.memberId)
    if (!(await passwords.verify(known.password_hash, body.current))) throw new Refused('credentials_invalid')
    const kept = await transaction(db, async (db) => {
      const admins = known.is_write_access_admin ? await lockAdmins(db) : []
      const member = await lockMember(db, caller.memberId)
      if (!member || member.password_hash !== known.password_hash) throw new Refused('credentials_invalid')
      if (member.is_write_access_admin && admins.every((id) => id === member.id))
        throw new Refused('last_admin')
      const things = await findKept(db, member)
      const kept = datedFromNow(things)
      // While the phrase is still there by which the member knows our mails.
      await sendMail(db, keys, member, 'account-erased', { kept: describeRetained(kept, member.language) })
      for (const { erase } of personal.toReversed()) await erase?.(db, member, things)
      await recordAudit(db, {
        actorId: member.id,
        action: 'member-erased',
        subjectKind: 'member',
        subjectId: member.id,
      })
      return kept
    })
    answer.clearSessionCookies()
    return { erased: true, kept }
  }

  /** As erasure would find it now. */
  const previewErasure: Handler<typeof api.previewErasure> = async (_, { db, caller }) => {
    const member = await getMemberById(db, caller.memberId)
    const kept = await findKept(db, member)
    const erased: ErasedCategory[] = []
    for (const thing of erasedCategories) {
      for (const { erases } of personal) if (await erases?.[thing]?.(db, member, kept)) erased.push(thing)
    }
    return {
      id: member.id,
      erased,
      kept: datedFromNow(kept),
      isLastAdmin: member.is_write_access_admin && (await countAdmins(db)) === 1,
    }
  }

  async function findKept(db: Tx, member: DataSubject): Promise<RetainedCategories> {
    const kept = new Set<RetainedCategory>()
    for (const thing of retainedCategories)
      for (const { keeps } of personal) if (await keeps?.[thing]?.(db, member, kept)) kept.add(thing)
    return kept
  }

  return { eraseMember, previewErasure }
}

/** All is kept from the end of the business with the member, which is now. */
function datedFromNow(things: RetainedCategories): RetainedData {
  const until = new Date(Date.now() + retention).toISOString()
  return [...things].map((what) => ({ what, until }))
}
