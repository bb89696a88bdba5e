import { expect, test } from 'vitest'
import { line, reasonLine, requiredReason } from './fields.ts'

test.each(['\u200B', '\u3164', '\u2800', '\uFEFF \u2060', '.', '—', ' '])(
  'a reason in which a reader sees no word counts as none: %j',
  (text) => {
    expect(requiredReason(20).safeParse(text).error?.issues[0]?.message).toBe('required')
    expect(reasonLine(20).parse(text)).toBe('')
  },
)

test('invisible characters are removed from a reason, and words of any script stay', () => {
  expect(requiredReason(20).parse(' paid\u200B twice ')).toBe('paid twice')
  expect(requiredReason(20).parse('重复付款')).toBe('重复付款')
})

test('half of a surrogate pair, which no database can store, is refused', () => {
  expect(line(20).safeParse('\uD800').success).toBe(false)
  expect(line(20).parse('😀')).toBe('😀')
})
