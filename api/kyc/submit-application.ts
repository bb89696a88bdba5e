import { randomUUID } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { DAY } from '#contract/durations.ts'
import { defaultEventId } from '#contract/kyc.ts'
import { isRefusedByIndex, transaction } from '../db/database.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { sendMail } from '../mail/send-mail.ts'
import { kycLink } from '../members/member-links.ts'
import { getMemberById } from '../members/member.queries.ts'
import { Refused } from '../refused.ts'
import { demandWithin } from '../throttle.ts'
import { readApplicant, withCheckedAddresses } from './applicant.ts'
import { findKycStateOfMember, insertKyc, type KycRow, type StoredPhoto } from './kyc.queries.ts'
import { isOpen } from './kyc.rules.ts'
import { takeInPhoto } from './photo-intake.ts'
import { presentKyc } from './present-kyc.ts'
import { newDataKey, storePhoto } from './sealed-documents.ts'

/** Each costs the decoding of up to eight large pictures, right or wrong. */
const perDayMax = 10

/** Documents first, record after: a record never points at a picture that is not there. */
export const createKyc: Handler<typeof api.createKyc> = async ({ body }, context) => {
  const { db, caller, keys } = context
  const applicant = withCheckedAddresses(readApplicant(body))
  const state = await findKycStateOfMember(db, caller.memberId)
  if (state !== 'none' && isOpen(state)) throw new Refused('conflict')
  await demandWithin(db, keys, [{ key: `kyc ${caller.memberId}`, max: perDayMax, window: DAY }])
  const id = randomUUID()
  const { dataKey, sealedDataKey } = newDataKey(keys, id)
  const photos: StoredPhoto[] = []
  try {
    for (const [n, photo] of body.photoUrls.entries())
      photos.push(await storePhoto(context.files, dataKey, id, await takeInPhoto(photo, `photoUrls.${n}`)))
    const record = {
      ...applicant,
      id,
      memberId: caller.memberId,
      eventId: body.eventId || defaultEventId,
      sealedDataKey,
      photos,
    }
    return presentKyc(await insertRecord(context, record), false)
  } catch (error) {
    for (const photo of photos) await context.files.remove(photo.fileKey).catch(() => {})
    if (isRefusedByIndex(error, 'kyc_application_one_open')) throw new Refused('conflict')
    throw error
  }
}

const insertRecord = (context: MemberContext, record: Parameters<typeof insertKyc>[1]): Promise<KycRow> =>
  transaction(context.db, async (db) => {
    const row = await insertKyc(db, record)
    const member = await getMemberById(db, record.memberId)
    await sendMail(db, context.keys, {
      kind: 'kyc-submitted',
      to: member.email,
      language: context.request.language,
      values: { link: kycLink(context.config) },
    })
    return row
  })
