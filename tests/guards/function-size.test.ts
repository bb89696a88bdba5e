import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const rules = {
  'max-lines-per-function': ['error', { max: 60, IIFEs: true }],
  complexity: ['error', { max: 15 }],
  'max-params': ['error', { max: 4 }],
} as const

const allowed = JSON.parse(readFileSync(new URL('long-functions.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, number>
>

/** Exceeds each limit once, so that a rule without other findings is known to run. */
const probe = `export function probe(a, b, c, d, e) {
  ${'if (a) b()\n'.repeat(60)}
  return [c, d, e]
}
`

interface Diagnostics {
  diagnostics: { code: string; filename: string }[]
}

/** Returns the number of functions above each limit, by rule and file. */
async function countLongFunctions(): Promise<Record<string, Record<string, number>>> {
  const folder = await makeTemporary('function-size')
  const config = join(folder, 'oxlintrc.json')
  writeFileSync(config, JSON.stringify({ plugins: ['eslint'], categories: { correctness: 'off' }, rules }))
  writeFileSync(join(folder, 'probe.js'), probe)
  const folders = ['contract', 'api', 'demo', 'web', 'serve', 'scripts', 'server.ts']
  const args = [
    'node_modules/oxlint/bin/oxlint',
    '-c',
    config,
    '--disable-nested-config',
    '-f',
    'json',
    ...folders,
    join(folder, 'probe.js'),
  ]
  // oxlint exits with 1 if it reports anything. The report is on stdout in both cases.
  const run = promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  await removeTemporary(folder)
  const counts: Record<string, Record<string, number>> = {}
  for (const { code, filename } of (JSON.parse(stdout) as Diagnostics).diagnostics) {
    if (/\.test\.tsx?$/.test(filename)) continue
    const rule = /\((.+)\)/.exec(code)![1]!
    const ofRule = (counts[rule] ??= {})
    const file = filename.endsWith('probe.js') ? 'probe.js' : filename
    ofRule[file] = (ofRule[file] ?? 0) + 1
  }
  return counts
}

test('no function exceeds 60 lines, 15 branches, or 4 parameters, except those in a list that only shrinks', async () => {
  const counts = await countLongFunctions()
  expect(Object.keys(allowed).toSorted()).toEqual(Object.keys(rules).toSorted())
  // If there are more long functions, split them. If there are fewer, lower the number in long-functions.json.
  for (const [rule, files] of Object.entries(allowed))
    expect(counts[rule], rule).toEqual({ ...files, 'probe.js': 1 })
})
