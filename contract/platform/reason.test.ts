import { expect, test } from 'vitest'
import { line, reasonLine, requiredReason } from './fields.ts'

test.each(['\u200B', '\u3164', '\u2800', '\uFEFF \u2060', '.', '—', ' '])(
  'a reason without visible words counts as none: %j',
  (text) => {
    expect(requiredReason(20).safeParse(text).error?.issues[0]?.message).toBe('required')
    expect(reasonLine(20).parse(text)).toBe('')
  },
)

test('removes invisible characters from a reason and keeps words of any script', () => {
  expect(requiredReason(20).parse(' paid\u200B twice ')).toBe('paid twice')
  expect(requiredReason(20).parse('重复付款')).toBe('重复付款')
})

test('rejects half of a surrogate pair, which PostgreSQL cannot store', () => {
  expect(line(20).safeParse('\uD800').success).toBe(false)
  expect(line(20).parse('😀')).toBe('😀')
})
