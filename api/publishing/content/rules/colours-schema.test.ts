import { expect, test } from 'vitest'
import { colours } from './colours-schema.ts'

const onPaper = { light: '#000000', dark: '#ffffff' }
const blackAndWhite = {
  ground: { light: '#ffffff', dark: '#000000' },
  groundRaised: { light: '#ffffff', dark: '#000000' },
  text: onPaper,
  textQuiet: onPaper,
  line: onPaper,
  lineStrong: onPaper,
  copper: onPaper,
  copperStrong: onPaper,
  onCopper: { light: '#ffffff', dark: '#000000' },
  verdigris: onPaper,
  red: onPaper,
  yellow: onPaper,
  green: onPaper,
  icon: '#767676',
  documents: {
    coverGreen: '#000000',
    coverBrown: '#000000',
    coverSubtitle: '#ffffff',
    note: '#ffffff',
    warning: '#ffffff',
  },
}

const problemsWith = (changed: object) =>
  colours
    .safeParse({ ...blackAndWhite, ...changed })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

test('accepts black on white', () => {
  expect(problemsWith({})).toBeUndefined()
})

// The two border grays that WCAG itself names: 4.54:1 and 4.48:1 on white.
test('requires 4.5:1 for text on every background it is used on', () => {
  expect(problemsWith({ textQuiet: { light: '#767676', dark: '#ffffff' } })).toBeUndefined()
  expect(problemsWith({ textQuiet: { light: '#777777', dark: '#ffffff' } })).toEqual([
    'textQuiet.light: has a contrast of 4.4:1 on ground.light but needs 4.5:1 to be readable',
    'textQuiet.light: has a contrast of 4.4:1 on groundRaised.light but needs 4.5:1 to be readable',
  ])
})

test('requires 3:1 for borders of controls and the icon', () => {
  expect(problemsWith({ lineStrong: { light: '#949494', dark: '#ffffff' } })).toBeUndefined()
  expect(problemsWith({ icon: '#959595' })).toEqual([
    'icon: has a contrast of 2.9:1 on ground.light but needs 3:1 to be readable',
  ])
})

test('checks the label of a button against the color of the button', () => {
  expect(problemsWith({ onCopper: { light: '#ffffff', dark: '#ffffff' } })).toEqual([
    'onCopper.dark: has a contrast of 1:1 on copper.dark but needs 4.5:1 to be readable',
    'onCopper.dark: has a contrast of 1:1 on copperStrong.dark but needs 4.5:1 to be readable',
  ])
})

test('reports an invalid color once, without a contrast error', () => {
  expect(problemsWith({ icon: 'red' })).toEqual(['icon: must be # and six digits, 0 to 9 or a to f'])
})
