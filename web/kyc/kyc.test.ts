import { expect, test } from 'vitest'
import { photoBytesMax, kycStates } from '#contract/people/kyc.ts'
import { mayApplyAgain } from './kyc-progress.tsx'
import { findFileProblem, hasRoom, isTooSmall, namesOf, type Photo, type Upload } from './photos.ts'
import { fit, isHeic } from '../kernel/prepare-picture.ts'

test('another application is allowed if one was asked for or the last one ended without approval', () => {
  const states = (isFinal: boolean) => kycStates.filter((status) => mayApplyAgain({ status, isFinal }))
  expect(states(false)).toEqual(['rejected', 'more_info', 'expired', 'withdrawn'])
  expect(states(true)).toEqual([])
})

test('detects HEIC by its type, or by its name if the system gives no type', () => {
  expect(isHeic({ name: 'a.jpg', type: 'image/heic' })).toBe(true)
  expect(isHeic({ name: 'IMG_1.HEIC', type: '' })).toBe(true)
  expect(isHeic({ name: 'a.heic', type: 'image/png' })).toBe(false)
  expect(isHeic({ name: 'a.txt', type: '' })).toBe(false)
})

test('a picture is scaled to fit and never enlarged', () => {
  expect(fit(4000, 3000, 3000)).toEqual({ width: 3000, height: 2250 })
  expect(fit(3000, 4000, 3000)).toEqual({ width: 2250, height: 3000 })
  expect(fit(640, 480, 3000)).toEqual({ width: 640, height: 480 })
  expect(fit(90_000, 1, 3000)).toEqual({ width: 3000, height: 1 })
})

const photo = (upload: Upload) => ({ upload }) as Photo
const stored = photo({ state: 'stored', photoId: 'a' })
const wrong = photo({ state: 'wrong', problem: 'unreadable' })

test('a file is invalid if it is empty, too large, or too small to read a document on', () => {
  expect(findFileProblem({ size: 0 })).toBe('unreadable')
  expect(findFileProblem({ size: photoBytesMax + 1 })).toBe('tooLarge')
  expect(findFileProblem({ size: photoBytesMax })).toBe(null)
  expect(isTooSmall({ width: 120, height: 80 })).toBe(true)
  expect(isTooSmall({ width: 4000, height: 399 })).toBe(true)
  expect(isTooSmall({ width: 600, height: 400 })).toBe(false)
  expect(isTooSmall({ width: 400, height: 600 })).toBe(false)
})

test('invalid files do not count towards the limit', () => {
  expect(hasRoom([stored, wrong, wrong], 2)).toBe(true)
  expect(hasRoom([stored, wrong, stored], 2)).toBe(false)
})

test('an application names its photos once every one has arrived', () => {
  expect(namesOf([], 'staged:')).toEqual([])
  expect(namesOf([stored, photo({ state: 'stored', photoId: 'b' })], 'staged:')).toEqual([
    'staged:a',
    'staged:b',
  ])
  expect(namesOf([stored, photo({ state: 'sending', sent: 1 })], 'staged:')).toEqual([])
  expect(namesOf([stored, photo({ state: 'failed', message: '' })], 'staged:')).toEqual([])
  expect(namesOf([wrong, stored], 'staged:')).toEqual(['staged:a'])
})
