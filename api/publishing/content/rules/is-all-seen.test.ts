import { expect, test } from 'vitest'
import { isAllSeen } from './message-schema.ts'

test.each([
  'Plain, “quoted”, 70 % — and ½ naïve €',
  '约每 4 年减半。',
  'Done \u{1f44d}\u{1f3fd} and \u{1f469}\u200d\u{1f4bb} and \u2764\ufe0f',
  'می\u200cخواهم',
  'क्\u200dष',
  'e\u0301',
])('%s is seen as it is', (text) => {
  expect(isAllSeen(text)).toBe(true)
})

test.each([
  ['a line break', 'One\nTwo'],
  ['a space without width', 'evil\u200b.com'],
  ['a word joiner', 'evil\u2060.com'],
  ['a joiner in Latin', 'evil\u200d.com'],
  ['a soft hyphen', 'evil\u00ad.com'],
  ['another order of letters', 'moc.\u202elive'],
  ['a mark of direction', 'a\u200fb'],
  ['a filler', 'evil\u3164.com'],
  ['a joiner of graphemes', 'evil\u034f.com'],
  ['a selector after a letter', 'evil\ufe0f.com'],
  ['a tag of languages', 'evil\u{e0041}.com'],
])('%s is not', (_, text) => {
  expect(isAllSeen(text)).toBe(false)
})
