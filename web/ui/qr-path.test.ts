import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrPath } from './qr-path.ts'

test('every dark square of a code is covered once, and no other', () => {
  const { data, size } = encode('otpauth://totp/Sample:person@example.org?secret=JBSWY3DPEHPK3PXP', {
    border: 4,
  })
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => 0))
  for (const [, x, y, length] of qrPath(data).matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let n = 0; n < Number(length); n += 1) drawn[Number(y)]![Number(x) + n]! += 1
  expect(drawn).toEqual(data.map((row) => row.map(Number)))
})
