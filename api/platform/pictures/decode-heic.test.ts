import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { decodeHeic, isHeic } from './decode-heic.ts'
import { decodePhoto } from './import-photo.ts'

const heic = readFileSync(new URL('../../../tests/files/two-halves.heic', import.meta.url))
const addressOf = (bytes: Buffer) => `data:image/heic;base64,${bytes.toString('base64')}`

test('converts a HEIC picture to a JPEG that looks the same, without metadata', async () => {
  expect(heic.includes('SECRET-PLACE')).toBe(true)
  const { bytes: picture } = await decodePhoto(addressOf(heic), 'photoUrls.0', { memberId: 'one' })
  const { format, width, height, exif } = await sharp(picture).metadata()
  expect({ format, width, height, exif }).toEqual({ format: 'jpeg', width: 96, height: 64 })
  const { data } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const redAt = (x: number, y: number) => data[(y * 96 + x) * 3]!
  expect(redAt(20, 30)).toBeLessThan(40)
  expect(redAt(76, 30)).toBeGreaterThan(150)
})

test.each([
  ['cut off', heic.subarray(0, 400)],
  ['of a header alone', heic.subarray(0, 24)],
  [
    'with noise for its directory',
    Buffer.concat([heic.subarray(0, 60), Buffer.alloc(400, 0x5a), heic.subarray(460)]),
  ],
])('a HEIC file %s is refused at its field', async (_, bytes) => {
  expect(isHeic(bytes)).toBe(true)
  await expect(decodePhoto(addressOf(bytes), 'photoUrls.2', { memberId: 'one' })).rejects.toMatchObject({
    code: 'validation_failed',
    fields: [{ path: 'photoUrls.2', code: 'picture' }],
  })
})

test('rejects a HEIC picture with too many pixels before decoding', async () => {
  await expect(decodeHeic(heic, 96 * 64 - 1)).rejects.toThrow('not a picture that is taken')
  expect(await decodeHeic(heic, 96 * 64)).toMatchObject({ width: 96, height: 64 })
})
