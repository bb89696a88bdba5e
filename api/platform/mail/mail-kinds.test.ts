import { expect, test } from 'vitest'
import { canBeTrial, isNeverWithheld, mailExpiry } from './mail-kinds.ts'

const goes = (kind: string) => isNeverWithheld({ kind, round_from: 0 })

test('security warnings and codes are also sent to a mailbox that refuses emails', () => {
  // An answer to a visitor expires with its link, but is neither.
  const codes = Object.keys(mailExpiry).filter((kind) => kind !== 'contact-answer')
  for (const kind of [
    ...codes,
    'rights-changed',
    'sale-address-changed',
    'official-changed',
    'token-made',
    'token-rotated',
    'staff-webhook-added',
    'staff-webhook-moved',
  ])
    expect([kind, goes(kind)]).toEqual([kind, true])
})

test('of the others one a day tests the mailbox, unless a stranger triggered it; emails resent by staff are always sent', () => {
  for (const [kind, isTrial] of [
    ['kyc-approved', true],
    ['token-ends', true],
    ['contact-answer', true],
    ['already-member', false],
    ['news-post', false],
  ] as const) {
    expect([kind, goes(kind), canBeTrial(kind)]).toEqual([kind, false, isTrial])
    expect(isNeverWithheld({ kind, round_from: 1 })).toBe(true)
  }
})
