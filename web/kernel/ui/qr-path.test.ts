import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrPath } from './qr-path.ts'

test('covers every dark module of a code once, and no other', () => {
  const { data, size } = encode('otpauth://totp/Sample:person@example.org?secret=JBSWY3DPEHPK3PXP', {
    border: 4,
  })
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => 0))
  let [x, y] = [0, 0]
  for (const [, right, down, length] of qrPath(data).matchAll(/m(-?\d+) (\d+)h(\d+)/g)) {
    x += Number(right)
    y += Number(down)
    for (let n = 0; n < Number(length); n += 1) drawn[y]![x + n]! += 1
    x += Number(length)
  }
  expect(drawn).toEqual(data.map((row) => row.map(Number)))
})

test('a large code takes few characters', () => {
  const { data } = encode('x'.repeat(400), { border: 4 })
  expect(qrPath(data).length).toBeLessThan(12_000)
})
