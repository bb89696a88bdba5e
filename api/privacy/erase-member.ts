import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/durations.ts'
import { erasedThings, type Kept } from '#contract/own-data.ts'
import {
  deleteAmbassadorApplicationsByEmail,
  findAmbassadorApplicationsByEmail,
} from '../ambassadors/ambassador.queries.ts'
import { deleteAutosavesOfMember, hasAutosaves } from '../announcements/autosaves/autosave.queries.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { eraseKycOfMember, hasKycKeptByLaw, hasKycToErase } from '../kyc/kyc.queries.ts'
import { countStagedPhotos } from '../kyc/staged-photo.queries.ts'
import { deleteMailsTo, listMailsTo } from '../mail/mail.queries.ts'
import { sendMail } from '../mail/send-mail.ts'
import { deleteConsentsOfMember, listConsentsOfMember } from '../consents/consent.queries.ts'
import { deletePhrase, findPhrase } from '../mail/anti-phishing-phrase.queries.ts'
import { sayKept } from './say-kept.ts'
import { listOrdersOfMember } from '../orders/order.queries.ts'
import { Refused } from '../refused.ts'
import { deleteFactors } from '../sessions/factors.ts'
import { deleteSessionsOfMember, lockMember } from '../sessions/session.queries.ts'
import { demandWithin } from '../rate-limits/rate-limit.ts'
import { dropEmailChange } from '../accounts/email-change.queries.ts'
import {
  countAdmins,
  deleteClientsOfMember,
  getMemberById,
  lockAdmins,
  updateMemberRow,
} from '../members/member.queries.ts'
import { deleteResetCodes } from '../accounts/reset-code.queries.ts'
import { deleteSignUpsOfMember } from '../accounts/sign-up.queries.ts'
import { retention } from '../members/retention.ts'

export const eraseMember: Handler<typeof api.eraseMember> = async (
  { body },
  { db, keys, passwords, caller, answer },
) => {
  caller.demandStepUp()
  await demandWithin(db, keys, [{ key: `erase ${caller.memberId}`, max: 10, window: 15 * MINUTE }])
  const known = await getMemberById(db, caller.memberId)
  if (!(await passwords.verify(known.password_hash, body.current))) throw new Refused('credentials_invalid')
  const kept = await transaction(db, async (db) => {
    const admins = known.is_write_access_admin ? await lockAdmins(db) : []
    const member = await lockMember(db, caller.memberId)
    if (!member || member.password_hash !== known.password_hash) throw new Refused('credentials_invalid')
    if (member.is_write_access_admin && admins.every((id) => id === member.id))
      throw new Refused('last_admin')
    const kept = await findWhatLawKeeps(db, member.id)
    await deleteMailsTo(db, member.email)
    await sendMail(db, keys, member, 'account-erased', { kept: sayKept(kept, member.language) })
    if (!kept.some(({ what }) => what === 'consents')) await deleteConsentsOfMember(db, member.id)
    await deletePhrase(db, member.id)
    await deleteAutosavesOfMember(db, member.id)
    await eraseKycOfMember(db, member.id)
    await deleteAmbassadorApplicationsByEmail(db, member.email)
    await deleteSessionsOfMember(db, member.id)
    await deleteFactors(db, member.id)
    await deleteResetCodes(db, member.id)
    await dropEmailChange(db, member.id)
    await deleteSignUpsOfMember(db, member.id)
    await deleteClientsOfMember(db, member.id)
    await eraseRow(db, member.id)
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

/** The row stays as an empty stub, because kept orders and the audit log refer to it. */
const eraseRow = (db: Tx, id: string) =>
  updateMemberRow(db, id, {
    email: `erased-${id}@erased.invalid`,
    password_hash: null,
    display_name: '',
    first_name: '',
    mid_name: '',
    last_name: '',
    home_phone: '',
    work_phone: '',
    mobile: '',
    work_email: '',
    invitation_code: '',
    active: false,
    is_write_access_admin: false,
    manage_news: 0,
    manage_employee: 0,
    manage_finance: 0,
    manage_coins: 0,
    erased_at: new Date(),
  })

/** Both are kept from the end of the business with the member, which is now; what was accepted stands behind the orders. */
async function findWhatLawKeeps(db: Tx, memberId: string): Promise<Kept> {
  const orders = await listOrdersOfMember(db, memberId, {}, 1, undefined)
  const hasOrders = orders.rows.length > 0
  const hasConsents = hasOrders && (await listConsentsOfMember(db, memberId)).length > 0
  const hasIdentity = await hasKycKeptByLaw(db, memberId)
  const until = new Date(Date.now() + retention).toISOString()
  return [
    ...(hasOrders ? [{ what: 'orders' as const, until }] : []),
    ...(hasIdentity ? [{ what: 'identity' as const, until }] : []),
    ...(hasConsents ? [{ what: 'consents' as const, until }] : []),
  ]
}

/** As erasure would find it now. */
export const previewErasure: Handler<typeof api.previewErasure> = async (_, { db, keys, caller }) => {
  const member = await getMemberById(db, caller.memberId)
  const kept = await findWhatLawKeeps(db, member.id)
  const isKept = (what: Kept[number]['what']) => kept.some((each) => each.what === what)
  const has = {
    account: true,
    sessions: true,
    identity: await hasKycToErase(db, member.id),
    waitingPhotos: (await countStagedPhotos(db, member.id)) > 0,
    ambassador: (await findAmbassadorApplicationsByEmail(db, member.email)).length > 0,
    workingCopies: await hasAutosaves(db, member.id),
    consents: !isKept('consents') && (await listConsentsOfMember(db, member.id)).length > 0,
    phrase: (await findPhrase(db, keys, member.id)) !== undefined,
    mails: (await listMailsTo(db, member.email)).length > 0,
  }
  return {
    id: member.id,
    erased: erasedThings.filter((thing) => has[thing]),
    kept,
    isLastAdmin: member.is_write_access_admin && (await countAdmins(db)) === 1,
  }
}
