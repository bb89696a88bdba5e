import { expect, test, vi } from 'vitest'
import { formatMoment } from './format-moment.ts'
import { interpolate } from './interpolate.ts'

const nbsp = '\u{A0}'

test('leaves out the space between a Chinese value and Chinese text only', () => {
  expect(interpolate('访问 {name} 的主页', 'cn', { name: '王小明' })).toBe('访问王小明的主页')
  expect(interpolate('访问 {name} 的主页', 'cn', { name: 'Ada' })).toBe('访问 Ada 的主页')
})

test('keeps a number and its Chinese unit on one line', () => {
  expect(interpolate('{count} 分钟内有效', 'cn', { count: 15 })).toBe(`15${nbsp}分钟内有效`)
  // The digits at the end of a reference have no unit.
  expect(interpolate('订单 {reference} 已付款', 'cn', { reference: 'COIN-DE8B4-C5612' })).toBe(
    '订单 COIN-DE8B4-C5612 已付款',
  )
})

test('shows the time zone as an offset from UTC, on the line of the time', () => {
  vi.stubEnv('TZ', 'UTC')
  expect(formatMoment('2036-05-01T22:00:00.000Z', 'en')).toMatch(/10:00\u{A0}PM\u{A0}UTC$/u)
  vi.unstubAllEnvs()
})
