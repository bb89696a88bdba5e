import { expect, test } from 'vitest'
import { disguises } from '#contract/publishing/official.ts'
import { besideOurs, brand, genuine, similarOnes, ours, unrelated, withMore } from '#tests/official-cases.ts'
import { indexChannels } from './official-channel.ts'
import { classifyPasted } from './classify-pasted.ts'

const known = indexChannels(ours, brand)
const genuineOnes = Object.entries(genuine).flatMap(([role, all]) => all.map((text) => [role, text] as const))
const judge = (text: string) => classifyPasted(text, known)

test('never calls a disguised text ours, and names the sign', () => {
  const wrong = Object.entries(similarOnes).flatMap(([sign, all]) =>
    all.flatMap((text) => {
      const { official, isDisguised, signs } = judge(text)
      const isRight = official === null && isDisguised && signs.some((seen) => seen.sign === sign)
      return isRight
        ? []
        : [`${sign}: ${text}: ${official?.role} ${signs.map((seen) => seen.sign).join(' ')}`]
    }),
  )
  expect(wrong).toEqual([])
  const count = new Set(Object.values(similarOnes).flat()).size
  console.info(`${count} disguised look-alikes are judged right`)
  expect(count).toBeGreaterThanOrEqual(200)
})

test('recognizes our channels in every spelling', () => {
  const wrong = genuineOnes.flatMap(([role, text]) => {
    const { official, signs } = judge(text)
    return official?.role === role
      ? []
      : [`${role}: ${text}: ${official?.role} ${signs.map(({ sign }) => sign).join(' ')}`]
  })
  expect(wrong).toEqual([])
})

test('unrelated texts are neither ours nor suspicious', () => {
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

test('never calls a text with anything added ours, and names the addition', () => {
  const called = [...withMore, ...besideOurs].filter((text) => judge(text).official !== null)
  expect(called).toEqual([])
  const silent = withMore.filter((text) => !judge(text).signs.some(({ sign }) => sign === 'several'))
  expect(silent).toEqual([])
})

test('our own address in a Chinese sentence is no disguise', () => {
  for (const text of [
    '请看https://faber.example，谢谢',
    '官网：https://faber.example。请放心',
    '官网（https://faber.example）已更新。',
  ])
    expect([text, judge(text).isDisguised]).toEqual([text, false])
})

test.each([
  ['555 0100 199', 'no_country_code'],
  ['@fabercoin', 'only_there'],
  ['https://x.com/fabercoin/status/123', 'other_page'],
  ['https://dsc.gg/FaBer42', 'shortener'],
  ['litecoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'other_scheme'],
] as const)('%s: it is said why it is not called ours', (text, sign) => {
  expect(judge(text).signs.map((each) => each.sign)).toContain(sign)
})

test('finds an impersonating link within another by its key', () => {
  for (const text of [
    'https://plain.example/或者https://evil.example/x',
    `https://faber.example ${'w '.repeat(60)}evil.example`,
  ])
    expect(judge(text).keys).toContain('domain:evil.example')
})

test('every disguise has test cases', () => {
  expect(Object.keys(similarOnes).toSorted()).toEqual([...disguises].toSorted())
})
