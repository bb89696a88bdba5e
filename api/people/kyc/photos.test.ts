import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { photoBytesMax } from '#contract/people/kyc.ts'
import { anApplicant, anApplication, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { findKycPhoto } from './kyc-photo.queries.ts'
import { findAnyKyc } from './kyc.queries.ts'
import { openDataKey, readPhoto } from './encrypted-documents.ts'
import { isAcceptedFormat } from '../../platform/pictures/import-photo.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const viewer = await aSignedInMember(started, { manage_finance: 1 })

const dataUrl = (bytes: Buffer, type = 'image/jpeg') => `data:${type};base64,${bytes.toString('base64')}`

const submit = (by: TestMember, photoUrls: string[]) =>
  call(api.createKyc, { body: { ...anApplicant(by.email), photoUrls } }, { token: by.token })

const view = (by: TestMember, id: string, n = 0) =>
  call(api.getKycPhoto, { params: { id, n } }, { token: by.token })

async function handIn(photo: string): Promise<{ picture: Buffer; id: string; member: TestMember }> {
  const member = await aSignedInMember(started)
  const answer = await submit(member, [photo])
  expect(answer.status).toBe(201)
  const shown = await view(viewer, answer.body._id)
  expect(shown.status).toBe(200)
  return { picture: shown.body as Buffer, id: answer.body._id, member }
}

/** The imported picture, without the watermark of a view. */
async function readStored(id: string): Promise<Buffer> {
  const row = await findAnyKyc(services.db, id)
  const photo = await findKycPhoto(services.db, id, 0)
  const dataKey = openDataKey(services.keys, id, row!.sealed_data_key!)
  return (await readPhoto(services.files, dataKey, id, photo!.file_key))!
}

async function filesOnDisk(): Promise<Buffer[]> {
  const directory = join(services.config.dataDir, 'files')
  const names = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = names.filter((entry) => entry.isFile())
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))))
}

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })

describe('an accepted picture', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    'may be %s, and is returned as JPEG of the same size',
    async (format) => {
      const { picture } = await handIn(await aPicture(format, { width: 600, height: 400 }))
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 400 })
    },
  )

  test('is checked by its bytes, not by its declared type', async () => {
    const png = await aPicture('png')
    expect((await handIn(png.replace('image/png', 'image/jpeg'))).picture.length).toBeGreaterThan(0)
    expect((await handIn(png.replace('image/png', 'text/html'))).picture.length).toBeGreaterThan(0)
  })

  test('loses its metadata and is upright', async () => {
    const bytes = await noise(700, 450)
      .jpeg()
      .withExif({ IFD0: { Artist: 'Sample Photographer' }, IFD3: { GPSLatitude: '59/1 54/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(bytes.includes('Sample Photographer')).toBe(true)
    const { picture } = await handIn(dataUrl(bytes))
    const { exif, orientation, icc, xmp, width, height } = await sharp(picture).metadata()
    expect({ exif, orientation, icc, xmp, width, height }).toEqual({ width: 450, height: 700 })
    expect(picture.includes('Sample Photographer')).toBe(false)
  })

  test('loses data after its end', async () => {
    const bytes = Buffer.from((await aPicture()).split(',')[1]!, 'base64')
    const { picture } = await handIn(
      dataUrl(Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')])),
    )
    expect(picture.includes('script')).toBe(false)
  })

  test('has at most 3000 pixels a side', async () => {
    const { picture } = await handIn(await aPicture('png', { width: 4000, height: 800 }))
    expect(await sharp(picture).metadata()).toMatchObject({ width: 3000, height: 600 })
  })
})

describe('a file that is not a picture', () => {
  const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * 0.6))

  /** Returns a PNG that claims to be 50,000 pixels wide and high. */
  async function bomb(): Promise<Buffer> {
    const bytes = Buffer.from((await aPicture('png')).split(',')[1]!, 'base64')
    bytes.writeUInt32BE(50_000, 16)
    bytes.writeUInt32BE(50_000, 20)
    return bytes
  }

  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image href="file:///etc/passwd"/><script>alert(1)</script></svg>'

  const hostile: [what: string, file: () => Promise<Buffer> | Buffer][] = [
    ['nothing', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('passport')],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', () => Buffer.from(svg)],
    ['SVG behind a blank', () => Buffer.from(' \n' + svg)],
    ['PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF')],
    ['GIF', () => noise(10, 10).gif().toBuffer()],
    ['TIFF', () => noise(10, 10).tiff().toBuffer()],
    ['AVIF', () => noise(10, 10).avif().toBuffer()],
    ['a JPEG cut short', async () => cut(await noise(200, 200).jpeg().toBuffer())],
    ['a PNG cut short', async () => cut(await noise(200, 200).png().toBuffer())],
    ['a WebP cut short', async () => cut(await noise(200, 200).webp().toBuffer())],
    [
      'the beginning of a JPEG and noise',
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(5000, 7)]),
    ],
    ['a PNG of 2.5 thousand million pixels', bomb],
    [
      'a PNG of more than 50 million pixels',
      () =>
        sharp({ create: { width: 7100, height: 7100, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
    ],
    ['a program', () => Buffer.from('\u007fELF' + '\u0000'.repeat(100), 'latin1')],
    ['an archive', () => Buffer.from('PK\u0003\u0004' + '\u0000'.repeat(100), 'latin1')],
  ]

  test.for(hostile)(
    'is rejected by its place, and nothing of the application is stored: %s',
    async ([, file]) => {
      const member = await aSignedInMember(started)
      const before = (await filesOnDisk()).length
      const answer = await submit(member, [await aPicture(), dataUrl(await file())])
      expect(answer).toMatchObject({ status: 400, problem: { code: 'validation_failed' } })
      expect(answer.problem.errors).toEqual([
        expect.objectContaining({ path: 'photoUrls.1', code: 'picture' }),
      ])
      expect(await filesOnDisk()).toHaveLength(before)
      const list = await call(api.findKyc, { body: {} }, { token: member.token })
      expect(list.body).toEqual([])
    },
  )

  test('is recognized by its first bytes', async () => {
    expect(isAcceptedFormat(Buffer.from('RIFF\u0001\n\u0003\u0004WEBPVP8 ', 'latin1'))).toBe(true)
    expect(isAcceptedFormat(Buffer.from('RIFF\u0001\u0002\u0003\u0004WAVEfmt ', 'latin1'))).toBe(false)
    for (const [what, file] of hostile.slice(0, 9))
      expect([what, isAcceptedFormat(await file())]).toEqual([what, false])
  })

  test('is rejected if it is larger than 10 MiB', async () => {
    const bytes = await noise(2000, 2000).png().toBuffer()
    expect(bytes.length).toBeGreaterThan(photoBytesMax)
    const answer = await submit(await aSignedInMember(started), [dataUrl(bytes, 'image/png')])
    expect(answer.problem.errors).toEqual([
      expect.objectContaining({ path: 'photoUrls.0', code: 'too_long' }),
    ])
  })
})

describe('a stored picture', () => {
  test('is encrypted on disk, differently each time', async () => {
    const photo = dataUrl(await noise(640, 640).jpeg().toBuffer())
    const one = await handIn(photo)
    const two = await handIn(photo)
    const picture = await readStored(one.id)
    expect(picture.equals(await readStored(two.id))).toBe(true)
    expect(picture.equals(one.picture)).toBe(false)
    const files = await filesOnDisk()
    expect(new Set(files.map((file) => file.toString('base64'))).size).toBe(files.length)
    for (const file of files) {
      expect(file.includes(picture.subarray(200, 216))).toBe(false)
      expect(file.includes(picture.subarray(0, 16))).toBe(false)
    }
  })

  test('can only be decrypted for its own application', async () => {
    const [one, two] = [await handIn(await aPicture()), await handIn(await aPicture('png'))]
    const rowOf = (id: string) =>
      services.db
        .selectFrom('kyc_photo')
        .selectAll()
        .where('application_id', '=', id)
        .executeTakeFirstOrThrow()
    const [a, b] = [await rowOf(one.id), await rowOf(two.id)]
    await services.db.deleteFrom('kyc_photo').where('application_id', '=', two.id).execute()
    await services.db
      .updateTable('kyc_photo')
      .set({ file_key: b.file_key })
      .where('application_id', '=', a.application_id)
      .execute()
    expect((await view(viewer, one.id)).status).toBe(500)
  })

  test('is shown only to finance, never cached, and each view is logged', async () => {
    const { id, member } = await handIn(await aPicture())
    const admin = await aSignedInMember(started, { is_write_access_admin: true, manage_coins: 2 })
    for (const by of [member, admin]) expect((await view(by, id)).problem.code).toBe('forbidden')
    const shown = await view(viewer, id)
    expect(shown.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const entries = await services.db
      .selectFrom('audit_entry')
      .select(['actor_id', 'detail'])
      .where('action', '=', 'kyc-photo-viewed')
      .where('subject_id', '=', id)
      .execute()
    // One view from submitting and one from this test; failed requests are not views.
    expect(entries).toEqual(
      Array(2).fill({
        actor_id: viewer.id,
        detail: { n: 0, round: 1, mark: expect.stringMatching(/^[0-9a-f]{8}$/) },
      }),
    )
  })

  test('never has the same bytes twice, and names the viewer by values they cannot choose', async () => {
    const { id } = await handIn(await aPicture())
    const names = { manage_finance: 1, display_name: 'The same name' }
    const [one, two] = [await aSignedInMember(started, names), await aSignedInMember(started, names)]
    const seen = await Promise.all([view(one, id), view(two, id), view(two, id)])
    const pictures = seen.map(({ body }) => (body as Buffer).toString('base64'))
    expect(new Set(pictures).size).toBe(3)
  })

  test.each(['1', '-1', '8', '0.5', 'x', '%00', '..%2f0'])('does not exist as number %s', async (n) => {
    const { _id } = await anApplication(started, await aSignedInMember(started))
    const answer = await started.send({
      method: 'GET',
      url: `/v2/kyc/${_id}/photos/${n}`,
      headers: { 'x-app-id': services.config.appId, 'x-access-token': viewer.token },
    })
    expect(answer.statusCode).toBe(404)
  })

  test('is deleted with its application, whose dates stay', async () => {
    const { id, member } = await handIn(await aPicture())
    const remove = () => call(api.deleteKyc, { body: { id } }, { token: member.token })
    expect(await remove()).toMatchObject({ status: 200, body: { deleted: true } })
    expect((await view(viewer, id)).status).toBe(404)
    expect((await remove()).status).toBe(403)
    const row = await services.db
      .selectFrom('kyc_application')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      full_name: '',
      email: '',
      eth_address: '',
      country: '',
      sealed_data_key: null,
    })
    expect(row.created_at).toBeInstanceOf(Date)
    expect(row.deleted_at).toBeInstanceOf(Date)
  })

  test.each(['approved', 'expired'] as const)(
    'of an identity that is %s is retained by law',
    async (state) => {
      const member = await aSignedInMember(started)
      const officer = await aSignedInMember(started, { manage_finance: 2 })
      const { _id } = await anApplication(started, member, state)
      for (const { token } of [member, officer]) {
        const answer = await call(api.deleteKyc, { body: { id: _id } }, { token })
        expect(answer).toMatchObject({ status: 409, problem: { code: 'conflict' } })
      }
      expect((await view(viewer, _id)).status).toBe(200)
    },
  )
})
