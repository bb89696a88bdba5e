import type { api } from '#contract/api.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { requireEmailQuota } from '../mail/email-quota.ts'
import { getMemberById, lockMember } from '../members/member.queries.ts'
import { Refused } from '../refused.ts'
import { askForAdministratorPassword, awaitsConfiguredRights } from './grant-configured-rights.ts'
import { hasValidResetCode } from './reset-code.queries.ts'

export const readAdministratorLink: Handler<typeof api.readAdministratorLink> = async (
  _,
  { db, config, caller },
) => {
  const member = await getMemberById(db, caller.memberId)
  const isWaiting = await awaitsConfiguredRights(db, config, member)
  return { isWaiting, isSent: isWaiting && (await hasValidResetCode(db, member.id)) }
}

export const sendAdministratorLink: Handler<typeof api.sendAdministratorLink> = async (
  _,
  { db, keys, config, caller },
) => {
  const known = await getMemberById(db, caller.memberId)
  if (!(await awaitsConfiguredRights(db, config, known))) return { sent: false }
  const permit = { email: known.email, client: caller.memberId, sort: 'reset', ownerId: known.id } as const
  await requireEmailQuota(db, keys, { ...permit, of: 'account' })
  return transaction(db, async (db) => {
    const member = await lockMember(db, caller.memberId)
    // The permit was for that address.
    if (!member?.active || member.email !== known.email) throw new Refused('conflict')
    return { sent: await askForAdministratorPassword(db, { keys, config }, member) }
  })
}
