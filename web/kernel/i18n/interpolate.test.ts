import { expect, test, vi } from 'vitest'
import { formatMoment, interpolate, joinSentences } from './interpolate.ts'

const nbsp = '\u{A0}'

test('leaves out the space between a Chinese value and Chinese text only', () => {
  expect(interpolate('访问 {name} 的主页', 'cn', { name: '王小明' })).toBe('访问王小明的主页')
  expect(interpolate('访问 {name} 的主页', 'cn', { name: 'Ada' })).toBe('访问 Ada 的主页')
})

test('writes the address of a staff member in Chinese brackets', () => {
  const message = '{name} 已于 {time} 提交'
  expect(interpolate(message, 'cn', { name: 'Ada (ada@team.example)', time: '12:00' })).toBe(
    'Ada（ada@team.example）已于 12:00 提交',
  )
})

test('keeps a number and its Chinese unit on one line', () => {
  expect(interpolate('{count} 分钟内有效', 'cn', { count: 15 })).toBe(`15${nbsp}分钟内有效`)
})

test('joins Chinese sentences without a space', () => {
  expect(joinSentences(['一。', '二。'], 'cn')).toBe('一。二。')
  expect(joinSentences(['One.', 'Two.'], 'en')).toBe('One. Two.')
})

test('shows the time zone as an offset from UTC, on the line of the time', () => {
  vi.stubEnv('TZ', 'UTC')
  expect(formatMoment('2036-05-01T22:00:00.000Z', 'en')).toMatch(/10:00\u{A0}PM\u{A0}UTC$/u)
  vi.unstubAllEnvs()
})
