import { expect, test } from 'vitest'
import { photosMax } from '#contract/kyc.ts'
import { aPicture } from '#tests/builders.ts'
import { importMemberPhoto } from './import-photo.ts'

test('one member has as many pictures in hand at once as an application has, and nobody else waits for a place', async () => {
  const picture = await aPicture()
  const all = Array.from({ length: photosMax + 2 }, () => importMemberPhoto('one', picture, 'photo'))
  const other = importMemberPhoto('other', picture, 'photo')
  const broken = importMemberPhoto('third', 'data:image/png;base64,AAAA', 'photo')
  await expect(broken).rejects.toMatchObject({ code: 'validation_failed' })
  const ends = await Promise.allSettled(all)
  expect(ends.slice(0, photosMax).map(({ status }) => status)).toEqual(
    Array<string>(photosMax).fill('fulfilled'),
  )
  for (const end of ends.slice(photosMax))
    expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  expect((await other).length).toBeGreaterThan(100)
  for (const each of ['one', 'third'])
    expect((await importMemberPhoto(each, picture, 'photo')).length).toBeGreaterThan(100)
})
