import sharp from 'sharp'
import { expect, test } from 'vitest'
import { MIB } from '#contract/platform/fields.ts'
import { makeHostilePictures } from '#tests/hostile-pictures.ts'
import { processorTimeOf } from '#tests/setup/processor-time.ts'
import { decodePhoto } from './import-photo.ts'

const corpus = await makeHostilePictures()
const take = (bytes: Buffer) =>
  decodePhoto(`data:image/jpeg;base64,${bytes.toString('base64')}`, 'photo', { memberId: 'one' })

test('the corpus has the expected size', () => {
  expect(corpus.length).toBeGreaterThan(50)
  expect(new Set(corpus.map(({ what }) => what)).size).toBe(corpus.length)
})

test.for(corpus.filter(({ outcome }) => outcome === 'refused'))('refused: $what', async ({ bytes }) => {
  const took = await processorTimeOf(() =>
    expect(take(bytes)).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ path: 'photo', code: 'picture' }],
    }),
  )
  expect(took).toBeLessThan(5000)
})

test.for(corpus.filter(({ outcome }) => outcome === 'cleaned'))(
  'cleaned: $what',
  async ({ bytes, secret }) => {
    const { bytes: picture } = await take(bytes)
    const { format, exif, xmp, icc, pages } = await sharp(picture).metadata()
    expect({ format, exif, xmp, icc, pages }).toEqual({ format: 'jpeg' })
    expect(picture.includes(secret!)).toBe(false)
  },
)

test('five rounds of all of it leave the server’s memory unchanged', { tags: ['nightly'] }, async () => {
  const round = async () => {
    for (const { bytes } of corpus) await take(bytes).catch(() => {})
  }
  await round()
  const before = process.memoryUsage().rss
  for (let n = 0; n < 5; n += 1) await round()
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB)
})
