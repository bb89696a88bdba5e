import { expect, test } from 'vitest'
import { betterPlace } from './notice-card-parts.tsx'

const across = { left: 16, right: 374 }
const notices = { bottom: { ...across, top: 700, bottom: 784 }, top: { ...across, top: 80, bottom: 164 } }
const at = (top: number, left = 20, weight = 1) => ({
  left,
  right: left + 100,
  top,
  bottom: top + 44,
  weight,
})

test.each([
  ['nothing is covered', 'bottom', [at(400)], 'bottom'],
  ['the copy button would be covered', 'bottom', [at(720), at(400)], 'top'],
  ['a button would be covered at the top', 'top', [at(90)], 'bottom'],
  ['both places cover one', 'top', [at(90), at(720)], 'top'],
  ['the other place covers fewer', 'bottom', [at(90), at(720), at(720, 200)], 'top'],
  [
    'the other place covers more, but nothing that counts',
    'bottom',
    [at(90), at(90), at(720, 20, 100)],
    'top',
  ],
  ['a control lies beside it', 'bottom', [at(720, 600)], 'bottom'],
] as const)('when %s, notices at the %s move to the right place', (_, before, controls, place) => {
  expect(betterPlace(before, notices, controls)).toBe(place)
})
