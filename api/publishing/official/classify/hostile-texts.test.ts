import { expect, test } from 'vitest'
import { pastedLengthMax } from '#contract/publishing/official.ts'
import { processorTimeOf } from '#tests/setup/processor-time.ts'
import { brand, ours } from '#tests/official-cases.ts'
import { indexChannels } from './official-channel.ts'
import { classifyPasted } from './classify-pasted.ts'

const known = indexChannels(ours, brand)
const long = (part: string) => part.repeat(Math.ceil(pastedLengthMax / part.length)).slice(0, pastedLengthMax)

/** Each text has the maximum length, and makes naive patterns backtrack. */
const hostile = [
  ...[
    'a',
    'a.',
    '.',
    '@',
    'a@',
    '<',
    '<a@b',
    'https://',
    'http://a@',
    '%41',
    '%',
    '\\',
    '/',
    '//',
    ':',
    '1',
    '1 ',
    '(',
    '+1(',
    ')',
    '-',
  ].map(long),
  ...[
    '\u0000',
    '\u200b',
    '\u202e',
    '\u0300',
    'é',
    'ﷺ',
    '𝐟',
    '👩‍👩‍👧',
    '\ud800',
    'xn--a.',
    'xn--',
    '0x',
    'bc1q',
    'rn',
    '[.]',
    '(dot)',
    '"',
    '。',
  ].map(long),
  `${long('a').slice(1)}!`,
  `${long('a.').slice(1)}!`,
  `https://${long('a').slice(9)}@`,
  `${long(' ').slice(1)}x`,
  `x${long(' ').slice(2)}x`,
]

test('classifies any pasted text, and calls nothing hostile ours', () => {
  for (const text of hostile) {
    const { official, shown, signs } = classifyPasted(text, known)
    expect([text.slice(0, 20), official]).toEqual([text.slice(0, 20), null])
    expect(shown.isWellFormed()).toBe(true)
    expect(shown.length).toBeLessThan(5000)
    expect(shown).not.toMatch(/[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069]/u)
    for (const { detail, ours } of signs)
      expect(`${detail}${ours}`).not.toMatch(/[\p{Cc}\u200b\u202a-\u202e]/u)
  }
})

test('no text takes long, because no pattern backtracks', async () => {
  for (const text of hostile)
    expect([text.slice(0, 20), (await processorTimeOf(() => classifyPasted(text, known))) < 1000]).toEqual([
      text.slice(0, 20),
      true,
    ])
})

test('treats names of object properties like other names', () => {
  for (const text of [
    '__proto__.constructor',
    'constructor',
    '@__proto__',
    'toString@hasOwnProperty.valueOf',
    'https://x.com/__proto__',
  ])
    expect(classifyPasted(text, known).official).toBeNull()
})
