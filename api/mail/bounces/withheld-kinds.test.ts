import { expect, test } from 'vitest'
import { codeLives } from '../code-lives.ts'
import { isNeverWithheld, mayBeTrial } from './withheld-kinds.ts'

const goes = (kind: string) => isNeverWithheld({ kind, round_from: 0 })

test('what warns of somebody else’s doing goes also to a mailbox that refuses, and so does every code', () => {
  for (const kind of [
    ...Object.keys(codeLives),
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

test('of the others one a day tries, unless a stranger has it sent; what the staff send again goes', () => {
  for (const [kind, isTrial] of [
    ['kyc-approved', true],
    ['token-ends', true],
    ['already-member', false],
    ['news-post', false],
  ] as const) {
    expect([kind, goes(kind), mayBeTrial(kind)]).toEqual([kind, false, isTrial])
    expect(isNeverWithheld({ kind, round_from: 1 })).toBe(true)
  }
})
