import { expect, test } from 'vitest'
import { disguises } from '#contract/official.ts'
import { brand, genuine, lookAlikes, ours, unrelated } from '#tests/official-cases.ts'
import { indexOurs } from './ours.ts'
import { judgePasted } from './judge-pasted.ts'

const known = indexOurs(ours, brand)
const genuineOnes = Object.entries(genuine).flatMap(([role, all]) => all.map((text) => [role, text] as const))
const judge = (text: string) => judgePasted(text, known)

test('what is disguised as ours is never called ours, and it is said what was seen', () => {
  const wrong = Object.entries(lookAlikes).flatMap(([sign, all]) =>
    all.flatMap((text) => {
      const { official, isDisguised, signs } = judge(text)
      const isRight = official === null && isDisguised && signs.some((seen) => seen.sign === sign)
      return isRight
        ? []
        : [`${sign}: ${text}: ${official?.role} ${signs.map((seen) => seen.sign).join(' ')}`]
    }),
  )
  expect(wrong).toEqual([])
  const count = new Set(Object.values(lookAlikes).flat()).size
  console.info(`${count} disguised look-alikes are judged right`)
  expect(count).toBeGreaterThanOrEqual(200)
})

test('what is ours is found to be ours, in every way of writing it', () => {
  const wrong = genuineOnes.flatMap(([role, text]) => {
    const { official, signs } = judge(text)
    return official?.role === role
      ? []
      : [`${role}: ${text}: ${official?.role} ${signs.map(({ sign }) => sign).join(' ')}`]
  })
  expect(wrong).toEqual([])
})

test('what has nothing to do with us is neither ours nor suspected', () => {
  const wrong = unrelated.flatMap((text) => {
    const { official, isDisguised, signs } = judge(text)
    return official === null && !isDisguised
      ? []
      : [`${text}: ${official?.role} ${signs.map(({ sign }) => sign).join(' ')}`]
  })
  expect(wrong).toEqual([])
  console.info(`${genuineOnes.length + unrelated.length} genuine and unrelated ones are judged right`)
  expect(genuineOnes.length + unrelated.length).toBeGreaterThanOrEqual(60)
})

test('every disguise has its cases', () => {
  expect(Object.keys(lookAlikes).toSorted()).toEqual([...disguises].toSorted())
})
