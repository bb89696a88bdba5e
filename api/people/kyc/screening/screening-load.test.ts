import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { processorTimeOf } from '#tests/setup/processor-time.ts'
import { indexNames, type Listed, type NameIndex } from './name-index.ts'
import { threadOf } from './screening-thread.ts'

const parts =
  'an ber cor dan el fir gan hol in jor kal lum mor nel os per quin ra sen tor ul ven wil yor zan'.split(' ')
const han = [...'王李张刘陈杨黄赵周吴徐孙马朱胡林郭何高罗小明伟芳娜敏静丽强磊军洋勇艳杰娟涛超秀英']
const given = ['michael', 'john', 'alexander', 'mohammed', 'elena', 'yuri']

/** Generates the same names each time, with a realistic share of Chinese and three-part names. */
function makePeople(count: number): Listed[] {
  let seed = 7
  const upTo = (max: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % max
  }
  const one = <Value>(of: readonly Value[]) => of[upTo(of.length)]!
  const several = (of: readonly string[], least: number) =>
    Array.from({ length: least + upTo(2) }, () => one(of)).join('')
  return Array.from({ length: count }, (_, n) => ({
    name:
      n % 5 === 0
        ? several(han, 2)
        : `${n % 3 === 0 ? one(given) : several(parts, 2)} ${several(parts, 2)} ${n % 7 === 0 ? several(parts, 2) : ''}`.trim(),
    born: String(1930 + upTo(70)),
    list: 'Made up',
  }))
}

const people = makePeople(20_000)
/** Maximum processor time of one comparison in its own thread, in milliseconds. */
const most = 50
let index: NameIndex
beforeAll(() => {
  index = indexNames(people)
  // A warm-up, so that nothing is compiled while measuring.
  for (const { name } of people.slice(0, 20)) index.search({ name, born: '' })
})

const joined = people
  .slice(0, 60)
  .map(({ name }) => name)
  .join(' ')

test.each([
  ['a plain name', people[1]!.name],
  ['a Chinese name', people[5]!.name],
  ['both scripts', '王小明 Wang Xiaoming'],
  ['letters that unfold to eighteen each', '\ufdfa'.repeat(400)],
  ['many names in one', joined.slice(0, 400)],
  ['one letter', 'a'.repeat(400)],
  ['words of one letter', 'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(8).slice(0, 400)],
  ['names with many short forms', 'alex chris sasha sam vlad '.repeat(16).slice(0, 400)],
  ['scripts in turn', '王a小b明c'.repeat(66)],
  ['marks upon marks', `a${'\u0301'.repeat(399)}`],
])('20,000 entries are compared with %s in less than 50 ms', (_, name) => {
  let least = Infinity
  // The minimum of several runs excludes compilation time.
  for (let round = 0; round < 5; round += 1) {
    const begun = process.threadCpuUsage()
    index.search({ name, born: '1970-01-02' })
    const { user, system } = process.threadCpuUsage(begun)
    least = Math.min(least, (user + system) / 1000)
  }
  expect(least).toBeLessThan(most)
})

test('ranks a listed name first among 20,000', () => {
  for (const listed of [people[1]!, people[5]!, people[9]!, people[14]!]) {
    const { matches } = index.search({ name: listed.name, born: '' })
    expect(matches.length).toBeLessThanOrEqual(20)
    expect(matches.some(({ name, score }) => name === listed.name && score >= 98)).toBe(true)
    expect(matches.map(({ score }) => score)).toEqual(
      matches.map(({ score }) => score).toSorted((a, b) => b - a),
    )
  }
})

test('reading the list and comparing barely use the request thread', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'screening-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const file = join(dir, 'list.csv')
  await writeFile(file, ['name,born', ...people.map(({ name, born }) => `${name},${born}`)].join('\n'))
  const thread = threadOf(file)
  const begun = process.threadCpuUsage()
  const whole = await processorTimeOf(async () => {
    await Promise.all(
      ['\ufdfa'.repeat(400), joined.slice(0, 400), '王小明'].map((name) => thread.ask({ name, born: '' })),
    )
  })
  const { user, system } = process.threadCpuUsage(begun)
  expect((user + system) / 1000).toBeLessThan(whole / 4)
})
