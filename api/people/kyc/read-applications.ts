import type { api } from '#contract/api.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { getMemberById } from '../members/member.queries.ts'
import { Refused } from '../../platform/refused.ts'
import {
  findAnyKyc,
  findKyc as findKycRow,
  listAnyKyc,
  listKycOfMember as listOwnKyc,
  type KycFilter,
} from './kyc.queries.ts'
import { newMark, watermark, watermarkText } from '../../platform/pictures/watermark.ts'
import { findKycPhoto, recordSeenPhoto } from './kyc-photo.queries.ts'
import { presentKyc } from './present-kyc.ts'
import { openDataKey, readPhoto } from './encrypted-documents.ts'

export const getKyc: Handler<typeof api.getKyc> = async ({ params }, { db, caller }) => {
  const row = (await findKycRow(db, params.id)).openFor(caller)
  if (row.member_id !== caller.memberId)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'kyc-viewed',
      subjectKind: 'kyc',
      subjectId: row.id,
    })
  return presentKyc(row, row.member_id !== caller.memberId)
}

/** The view is logged before the picture is sent; the watermark names the viewer. */
export const getKycPhoto: Handler<typeof api.getKycPhoto> = async (
  { params },
  { db, keys, files, caller },
) => {
  const row = await findAnyKyc(db, params.id)
  const photo = row && (await findKycPhoto(db, params.id, params.n))
  if (!photo || !row.sealed_data_key) throw new Refused('not_found')
  const picture = await readPhoto(
    files,
    openDataKey(keys, row.id, row.sealed_data_key),
    row.id,
    photo.file_key,
  )
  if (!picture) throw new Refused('not_found')
  const mark = newMark()
  const viewer = await getMemberById(db, caller.memberId)
  const bytes = await watermark(picture, watermarkText(viewer, mark))
  await recordSeenPhoto(db, { officerId: caller.memberId, id: row.id, n: params.n, round: row.round }, mark)
  return { contentType: photo.content_type, bytes }
}

export const listKyc: Handler<typeof api.listKyc> = async ({ query }, { db, caller, answer }) => {
  const page = await listAnyKyc(db, {}, query)
  answer.setNext(page.next)
  return page.rows.map((row) => presentKyc(row, row.member_id !== caller.memberId))
}

export const listKycOfMember: Handler<typeof api.listKycOfMember> = async (
  { body, query },
  { db, caller, answer },
) => {
  if (body.memberId !== caller.memberId) caller.requireStaff()
  const page = await listOwnKyc(db, body.memberId, {}, query)
  answer.setNext(page.next)
  return page.rows.map((row) => presentKyc(row, row.member_id !== caller.memberId))
}

export const findKyc: Handler<typeof api.findKyc> = async ({ body, query }, { db, caller, answer }) => {
  if (body.memberId !== undefined && body.memberId !== caller.memberId) caller.requireStaff()
  const filter: KycFilter = {
    ...(body.memberId !== undefined ? { memberId: body.memberId } : {}),
    ...(body.email !== undefined ? { email: body.email } : {}),
    ...(body.ETHadd !== undefined ? { ethAddress: body.ETHadd } : {}),
  }
  const page = caller.isStaff
    ? await listAnyKyc(db, filter, query)
    : await listOwnKyc(db, caller.memberId, filter, query)
  answer.setNext(page.next)
  return page.rows.map((row) => presentKyc(row, row.member_id !== caller.memberId))
}

export const readKycRequirements: Handler<typeof api.readKycRequirements> = async (_, { config }) => ({
  ageMin: config.kycAgeMin,
})
