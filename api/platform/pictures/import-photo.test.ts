import { expect, test } from 'vitest'
import { photoPixelsMin } from '#contract/people/kyc.ts'
import { aPicture } from '#tests/builders.ts'
import { importPhoto } from './import-photo.ts'

const take = (photo: string) => importPhoto(photo, 'photo', { memberId: 'one' })
const { long, short } = photoPixelsMin

test.each([
  [120, 80],
  [long - 1, short],
  [long, short - 1],
  [short - 1, long],
  [3000, short - 1],
])(
  'a picture of %i by %i is too small for a document, and the error says the minimum',
  async (width, height) => {
    await expect(take(await aPicture('png', { width, height }))).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ path: 'photo', code: 'picture_too_small', values: { max: long, min: short } }],
    })
  },
)

test.each([
  [long, short],
  [short, long],
])('a picture of %i by %i is large enough', async (width, height) => {
  expect((await take(await aPicture('png', { width, height }))).length).toBeGreaterThan(100)
})
