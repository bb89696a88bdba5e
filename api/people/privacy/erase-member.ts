import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { erasedCategories, type RetainedData } from '#contract/people/privacy.ts'
import { requireDueErasure } from '../accounts/console/ask-erasure.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { notingFourEyes } from '../four-eyes/record-changes.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { isLastAdmin } from '../members/is-last-admin.ts'
import { getMemberById, lockMember } from '../members/member.queries.ts'
import { retention } from '../members/retention.ts'
import { notifyAdminsOfStaffAccount } from '../members/staff-account.ts'
import type { DataSubject, ErasedCategory, RetainedCategories, Module } from '../../platform/module.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import { eraseData, findRetained } from './erase-data.ts'
import type { Language } from '#contract/platform/fields.ts'
import { formatDay } from '../../platform/text/format-time.ts'
import { archiveText } from './archive-words.ts'

export function makeErasure(modules: readonly Module[]) {
  const eraseMember: Handler<typeof api.eraseMember> = async (
    { body },
    { db, keys, config, passwords, caller, request, answer },
  ) => {
    caller.requireFactorProof()
    await requireWithinLimits(db, keys, [{ key: `erase ${caller.memberId}`, max: 10, window: 15 * MINUTE }])
    const known = await getMemberById(db, caller.memberId)
    if (!(await passwords.verify(known.password_hash, body.current, 'known', request.client)))
      throw new Refused('credentials_invalid')
    const retained = await transaction(db, async (db) => {
      const isLast = await isLastAdmin(db, config, caller.memberId)
      const member = await lockMember(db, caller.memberId)
      if (!member || member.password_hash !== known.password_hash) throw new Refused('credentials_invalid')
      if (isLast) throw new Refused('last_admin')
      const staff = { member, actorId: member.id }
      await notifyAdminsOfStaffAccount(db, { keys, config }, staff, 'staff-erased')
      return eraseAccount(db, modules, member, { keys, config, actorId: member.id })
    })
    answer.clearSessionCookies()
    return { erased: true, kept: retained }
  }

  /** Carries out an erasure that the member requested from staff and another staff member opened. */
  const confirmMemberErasure: Handler<typeof api.confirmMemberErasure> = async (
    { params },
    { db, keys, config, caller },
  ) => {
    await transaction(db, async (db) => {
      const member = await requireDueErasure(db, config, params.id, caller.memberId)
      caller.requireStepUp()
      await eraseAccount(db, modules, member, { keys, config, actorId: caller.memberId })
    })
    return { erased: true }
  }

  /** Returns what erasure would do now. */
  const previewErasure: Handler<typeof api.previewErasure> = async (_, { db, config, caller }) => {
    const member = await getMemberById(db, caller.memberId)
    const retained = await findRetained(db, modules, member)
    const erased: ErasedCategory[] = []
    for (const thing of erasedCategories) {
      for (const { personal } of modules)
        if (await personal?.erases?.[thing]?.(db, member, retained)) erased.push(thing)
    }
    return {
      id: member.id,
      erased,
      kept: datedFromNow(retained),
      isLastAdmin: await isLastAdmin(db, config, member.id),
    }
  }

  return { eraseMember, confirmMemberErasure, previewErasure }
}

async function eraseAccount(
  db: Tx,
  modules: readonly Module[],
  member: DataSubject,
  { keys, config, actorId }: Pick<Services, 'keys' | 'config'> & { actorId: string },
): Promise<RetainedData> {
  const retained = datedFromNow(await findRetained(db, modules, member))
  // Sent before the anti-phishing phrase is erased, so that this email still contains it.
  await sendMail(db, keys, member, 'account-erased', { kept: describeRetained(retained, member.language) })
  await notingFourEyes(db, { keys, config }, await getMemberById(db, member.id), () =>
    eraseData(db, modules, member, { keys, isRepeated: false }),
  )
  await recordAudit(db, {
    actorId,
    action: 'member-erased',
    subjectKind: 'member',
    subjectId: member.id,
  })
  return retained
}

/** The retention period starts at the end of the business relationship, which is now. */
function datedFromNow(things: RetainedCategories): RetainedData {
  const until = new Date(Date.now() + retention).toISOString()
  return [...things].map((what) => ({ what, until }))
}

/** Describes in one sentence what is retained after an erasure, and until when. */
function describeRetained(retained: RetainedData, language: Language): string {
  const say = archiveText(language)
  if (retained.length === 0) return say('kept.none')
  const list = retained
    .map(({ what, until }) => say(`kept.${what}`, { date: formatDay(new Date(until), language) }))
    .join(say('kept.separator'))
  return say('kept.some', { list })
}
