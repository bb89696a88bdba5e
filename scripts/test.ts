// Everything that a change must pass, fastest checks first. CI runs this. `full` is the nightly run: the same, plus tests that
// prove by repetition.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from './build-site.ts'
import { findChromium } from './find-chromium.ts'
import { openGivenDatabase } from './given-database.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`
const isFull = process.argv[2] === 'full'
const counts = { passed: 0, failed: 0, skipped: 0 }

function step(
  name: string,
  command: string,
  words: string[],
  environment: Record<string, string> = {},
): boolean {
  console.log(`\n— ${name}`)
  const begun = performance.now()
  const { status } = spawnSync(command, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  console.log(
    `— ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - begun) / 1000).toFixed(1)} s`,
  )
  counts[status === 0 ? 'passed' : 'failed'] += 1
  return status === 0
}

type Report = { testResults: { assertionResults: { status: string; tags?: string[] }[] }[] }

/** Runs tests and counts them one by one. Tests of the nightly run do not count as skipped: they are not part of this run. */
function tests(name: string, words: string[], environment: Record<string, string> = {}): void {
  mkdirSync(`${root}.cache`, { recursive: true })
  const report = `${root}.cache/tests.json`
  rmSync(report, { force: true })
  const chosen = isFull ? [] : ['--tags-filter=!nightly']
  const isPassed = step(
    name,
    bin('vitest'),
    ['run', ...words, ...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { ...environment, ...(isFull && { TESTS: 'full' }) },
  )
  counts[isPassed ? 'passed' : 'failed'] -= 1
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = results.filter(({ status }) => status === 'failed').length
  const passed = results.filter(({ status }) => status === 'passed').length
  const forTheNight = results.filter(({ tags }) => !isFull && tags?.includes('nightly')).length
  counts.passed += passed
  counts.failed += failed + (isPassed || failed > 0 ? 0 : 1)
  counts.skipped += results.length - passed - failed - forTheNight
}

step('types', bin('tsc'), ['-b'])
step('lint', bin('oxlint'), ['--type-aware'])
step('format', bin('oxfmt'), ['--check'])
await buildIfStale()
const chromium = await findChromium()
console.log(`\nChromium: ${chromium.from}`)
tests('parts, guards, and journeys in a browser on the built product', [
  '--project=parts',
  '--project=screens',
  '--project=further-language',
  '--project=journeys',
])
if (isFull) {
  tests('kills and floods of the built product, one journey at a time', ['--project=kills'])
  const given = await openGivenDatabase(54_329)
  tests(
    `features once more, on ${given.from} by address`,
    ['--project=parts', 'api/', '--exclude=api/db/embedded/**'],
    {
      TEST_DATABASE_URL: given.url,
    },
  )
  await given.stop()
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed === 0 ? 0 : 1)
