import { eachPage } from '../../platform/db/each-page.ts'
import type { Attachment, Source } from '../../platform/module.ts'
import { findHandoffOfMember } from './handoff/handoff.queries.ts'
import { listKycPhotos } from './kyc-photo.queries.ts'
import { listKycOfMember, listKycSteps, type KycRow } from './kyc.queries.ts'
import { presentKyc } from './present-kyc.ts'
import { openDataKey, readPhoto } from './encrypted-documents.ts'
import { openStagedPhoto } from './upload-photo.ts'
import { listStagedPhotosOf } from './staged-photo.queries.ts'

const pageSize = 100

/** The member's applications with their pictures, for the export of their data. */
export async function* readApplications(source: Source) {
  for await (const [row, application] of numberedApplications(source)) {
    const steps = await listKycSteps(source.db, row.id)
    const shown: string[] = []
    for (const picture of await picturesOf(source, row, application)) {
      const one = await source.show(picture)
      if (one !== null) shown.push(one)
    }
    yield {
      ...presentKyc(row, false),
      steps: steps.map(({ from_status, to_status, reason, at }) => ({
        from: from_status,
        to: to_status,
        reason,
        at: at.toISOString(),
      })),
      [source.isArchive ? 'pictures' : 'photos']: shown,
    }
  }
}

export async function* readWaitingPhotos(source: Source) {
  for (const { row, picture } of await waitingPictures(source))
    yield {
      sentAt: row.created_at.toISOString(),
      byPhone: row.handoff_id !== null,
      picture: await source.show(picture),
    }
}

/** The phone that last sent photos. */
export async function* readPhones({ db, member }: Source) {
  const row = await findHandoffOfMember(db, member.id)
  if (row)
    yield {
      device: row.device,
      createdAt: row.created_at.toISOString(),
      openedAt: row.opened_at?.toISOString() ?? null,
      endedAt: row.ended_at?.toISOString() ?? null,
      expiresAt: row.expires_at.toISOString(),
    }
}

/** Every picture named in the parts above. */
export async function* readPictures(source: Source): AsyncIterable<Attachment> {
  for await (const [row, application] of numberedApplications(source))
    yield* await picturesOf(source, row, application)
  for (const { picture } of await waitingPictures(source)) yield picture
}

async function* numberedApplications({ db, member }: Source): AsyncIterable<[row: KycRow, n: number]> {
  let n = 0
  for await (const row of eachPage((after) => listKycOfMember(db, member.id, {}, { limit: pageSize, after })))
    yield [row, (n += 1)]
}

/** The pictures of an application cannot be read without its key. */
async function picturesOf(
  { db, keys, files }: Source,
  row: KycRow,
  application: number,
): Promise<Attachment[]> {
  const key = row.sealed_data_key
  if (!key) return []
  const photos = await listKycPhotos(db, row.id)
  return photos.map(({ file_key, content_type }, index) => ({
    name: { application, picture: index + 1 },
    contentType: content_type,
    read: () => readPhoto(files, openDataKey(keys, row.id, key), row.id, file_key),
  }))
}

async function waitingPictures({ db, keys, files, member }: Source) {
  const rows = await listStagedPhotosOf(db, member.id)
  return rows.map((row, index) => ({
    row,
    picture: {
      name: { picture: index + 1 },
      contentType: 'image/jpeg',
      read: () => openStagedPhoto({ keys, files }, row),
    } satisfies Attachment,
  }))
}
