import { expect, test } from 'vitest'
import { kycStates } from '#contract/kyc.ts'
import { looksLikeEthereum } from './looks-like-ethereum.ts'
import { mayApplyAgain } from './may-apply-again.ts'
import { isHeic } from './read-photos.ts'

test('an Ethereum address has forty hexadecimal characters, with or without 0x', () => {
  const forty = '52908400098527886E0F7030069857D2E4169EE7'
  expect([forty, `0x${forty}`, forty.toLowerCase()].map(looksLikeEthereum)).toEqual([true, true, true])
  expect(['', forty.slice(1), `0x${forty}0`, `${forty.slice(1)}g`, '0x'].some(looksLikeEthereum)).toBe(false)
})

test('another application may follow where one is asked for or the last one has ended without approval', () => {
  expect(kycStates.filter(mayApplyAgain)).toEqual(['rejected', 'more_info', 'expired'])
})

test('HEIC is known by its type, or by its name where the system gives no type', () => {
  expect(isHeic({ name: 'a.jpg', type: 'image/heic' })).toBe(true)
  expect(isHeic({ name: 'IMG_1.HEIC', type: '' })).toBe(true)
  expect(isHeic({ name: 'a.heic', type: 'image/png' })).toBe(false)
  expect(isHeic({ name: 'a.txt', type: '' })).toBe(false)
})
