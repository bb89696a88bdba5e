import { expect, test } from 'vitest'
import { kycStates } from '#contract/kyc.ts'
import { mayApplyAgain } from './may-apply-again.ts'
import { isHeic } from './read-photos.ts'

test('another application may follow where one is asked for or the last one has ended without approval', () => {
  expect(kycStates.filter(mayApplyAgain)).toEqual(['rejected', 'more_info', 'expired'])
})

test('HEIC is known by its type, or by its name where the system gives no type', () => {
  expect(isHeic({ name: 'a.jpg', type: 'image/heic' })).toBe(true)
  expect(isHeic({ name: 'IMG_1.HEIC', type: '' })).toBe(true)
  expect(isHeic({ name: 'a.heic', type: 'image/png' })).toBe(false)
  expect(isHeic({ name: 'a.txt', type: '' })).toBe(false)
})
