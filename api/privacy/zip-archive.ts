import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { MemberContext } from '../http/handler.ts'
import { listKycPhotos, type KycRow } from '../kyc/kyc.queries.ts'
import { openDataKey, readPhoto } from '../kyc/sealed-documents.ts'
import { openStagedPhoto } from '../kyc/stage-photo.ts'
import { listStagedPhotosOf, type StagedPhotoRow } from '../kyc/staged-photo.queries.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { sayDay, sayOfArchive } from './archive-words.ts'
import { ownDataParts, partNames, readKycRows, type PartName, type Source } from './archive-parts.ts'

/**
 * All data of a member as one archive in their language. Each file is read when the one before it has been sent: what is
 * in memory at any time is one page of rows or one picture.
 */
export async function zipOwnData(
  context: MemberContext,
  member: MemberRow,
): Promise<{ fileName: string; stream: Readable }> {
  const say = sayOfArchive(member.language)
  const now = new Date()
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  zip.on('error', (error: Error) => stream.destroy(error))
  const add = (name: string, open: () => Promise<Readable>, options = {}) =>
    zip.addReadStreamLazy(
      name,
      options,
      (give) => void open().then((file) => give(null, file), give as never),
    )

  const nameOf = (application: number, picture: number) =>
    `${say('pictures')}/${say('picture', { application, picture })}`
  const picturesOf = async (row: KycRow, n: number) => ({
    pictures: (await photosOf(context, row)).map((_, index) => nameOf(n, index + 1)),
  })
  const nameOfWaiting = (picture: number) => `${say('pictures')}/${say('waitingPicture', { picture })}`
  const waitingPictureOf = async (_: StagedPhotoRow, n: number) => ({ picture: nameOfWaiting(n) })
  const source: Source = { context, member, picturesOf, waitingPictureOf }

  zip.addBuffer(Buffer.from(readMe(member, now)), 'README.txt')
  for (const part of partNames) add(fileOf(part), async () => Readable.from(jsonOf(part, source)))
  let application = 0
  for await (const row of readKycRows(source)) {
    application += 1
    for (const [index, { file_key }] of (await photosOf(context, row)).entries())
      // A JPEG does not get smaller.
      add(nameOf(application, index + 1), () => openPhoto(context, row, file_key), { compress: false })
  }
  for (const [index, row] of (await listStagedPhotosOf(context.db, member.id)).entries())
    add(nameOfWaiting(index + 1), () => openWaiting(context, row), { compress: false })
  zip.end()
  return { fileName: say('archive', { date: now.toISOString().slice(0, 10) }), stream }
}

const fileOf = (part: PartName): string =>
  `${part.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`

/** Without its key an application has no pictures any more. */
const photosOf = async ({ db }: MemberContext, row: KycRow) =>
  row.sealed_data_key ? listKycPhotos(db, row.id) : []

async function openPhoto({ keys, files }: MemberContext, row: KycRow, fileKey: string): Promise<Readable> {
  const bytes =
    row.sealed_data_key &&
    (await readPhoto(files, openDataKey(keys, row.id, row.sealed_data_key), row.id, fileKey))
  return Readable.from(bytes ? [bytes] : [])
}

async function openWaiting(context: MemberContext, row: StagedPhotoRow): Promise<Readable> {
  const bytes = await openStagedPhoto(context, row)
  return Readable.from(bytes ? [bytes] : [])
}

async function* jsonOf(part: PartName, source: Source): AsyncIterable<string> {
  const { isList, read } = ownDataParts[part]
  let count = 0
  if (isList) yield '['
  for await (const entry of read(source)) {
    yield `${count > 0 ? ',' : ''}\n${JSON.stringify(entry, null, 2)}`
    count += 1
  }
  yield isList ? '\n]\n' : '\n'
}

function readMe(member: MemberRow, now: Date): string {
  const say = sayOfArchive(member.language)
  return [
    say('readme.title'),
    say('readme.made', { date: sayDay(now, member.language), email: member.email }),
    say('readme.intro'),
    ...partNames.map((part) => `${fileOf(part)}\n    ${say(`files.${part}`)}`),
    say('readme.missing'),
    say('readme.contact'),
    '',
  ].join('\n\n')
}
