import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { MINUTE } from '#contract/platform/durations.ts'
import { copyOfTree } from '../../tests/setup/copy-of-tree.ts'

const root = resolve(import.meta.dirname, '../..')

const run = (cwd: string, ...words: string[]) => {
  const { PATH, HOME } = process.env
  const env = { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, CI: 'true' }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd,
    encoding: 'utf8',
    env,
    timeout: 20 * MINUTE,
  })
  return { status, said: stdout + stderr }
}

/** If the command fails, the test shows what it said. */
const succeed = ({ status, said }: ReturnType<typeof run>) => expect(status, said).toBe(0)

const asked = [
  'scripts/run.mjs',
  'rebrand',
  '--name',
  'Blue Finch',
  '--ticker',
  'BLU3',
  '--accent',
  '#ff8800',
  '--second',
  '#004488',
]
const itsChain = ['--address-prefix', 'blu', '--address-versions', '25,85', '--anyway']

test(
  'a copy of the tree becomes another coin’s: no word of the sample stays, and it is sound',
  { tags: ['nightly'], timeout: 40 * MINUTE },
  () => {
    const copy = copyOfTree()
    const bin = (name: string) => join('node_modules/.bin', name)
    const rebranded = run(copy, ...asked, ...itsChain)
    succeed(rebranded)
    expect(rebranded.said).toContain('contrast')
    expect(JSON.parse(readFileSync(join(copy, 'content/brand.json'), 'utf8'))).toMatchObject({
      name: 'Blue Finch',
      ticker: 'BLU3',
    })
    succeed(run(copy, 'scripts/run.mjs', 'check-content'))
    succeed(run(copy, bin('tsc'), '-b'))
    succeed(run(copy, bin('oxfmt'), '--check'))
    succeed(run(copy, 'scripts/run.mjs', 'build'))
    const quick = [
      'contract',
      'tests/guards/content',
      'tests/guards/documents',
      'tests/guards/links',
      'tests/guards/bytes',
      'tests/guards/colours',
      'tests/guards/films',
      'tests/guards/any-coins',
      'tests/guards/words',
      'api/money/orders/orders.test',
      'api/money/orders/own-order',
      'api/platform/mail',
      'web/entry.server',
      'web/site',
      'web/orders',
      'web/machine-readable',
    ]
    const tested = run(
      copy,
      bin('vitest'),
      'run',
      '--project',
      'parts',
      '--project',
      'screens',
      '--tags-filter=!nightly',
      ...quick,
    )
    expect(
      tested.said
        .split('\n')
        .filter((line) => /FAIL|Error/.test(line))
        .slice(0, 20),
    ).toEqual([])
    succeed(tested)
  },
)

test.each([
  [['--ticker', 'A B'], 'content/brand.json: ticker: '],
  [['--ticker', 'OK', '--accent', 'blue'], 'content/colours.json: '],
  [['--ticker', 'OK', '--email', 'nobody'], 'content/brand.json: email: '],
])('%o is refused with a sentence, and nothing is changed', (words, sentence) => {
  const before = readFileSync(join(root, 'content/brand.json'), 'utf8')
  const { status, said } = run(
    root,
    'scripts/run.mjs',
    'rebrand',
    '--name',
    'Lodestar',
    '--anyway',
    '--without-made',
    ...words,
  )
  expect(status).toBe(1)
  expect(said).toContain(sentence)
  expect(readFileSync(join(root, 'content/brand.json'), 'utf8')).toBe(before)
})
