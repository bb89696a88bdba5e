// Everything that a change must pass, in the order in which it fails fastest. This is what CI runs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from './build-site.ts'
import { findChromium } from './find-chromium.ts'
import { openGivenDatabase } from './given-database.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`
const isCi = Boolean(process.env['CI'])
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

type Report = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
}

/** Runs tests and counts them one by one. */
function tests(name: string, words: string[], environment: Record<string, string> = {}): void {
  mkdirSync(`${root}.cache`, { recursive: true })
  const report = `${root}.cache/tests.json`
  const isPassed = step(
    name,
    bin('vitest'),
    ['run', ...words, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    environment,
  )
  counts[isPassed ? 'passed' : 'failed'] -= 1
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as Report
  counts.passed += numPassedTests
  counts.failed += numFailedTests + (isPassed || numFailedTests > 0 ? 0 : 1)
  counts.skipped += numPendingTests + numTodoTests
}

step('types', bin('tsc'), ['-b'])
step('lint', bin('oxlint'), ['--type-aware'])
step('format', bin('oxfmt'), ['--check'])
await buildIfStale()
const chromium = await findChromium()
console.log(`\nChromium: ${chromium.from}`)
tests('parts and guards, on the embedded database', ['--project', 'parts'])
tests('journeys, in a browser on the built product', ['--project', 'journeys'])
tests('kills of the built product, one journey at a time', ['--project', 'kills'])
if (isCi || process.env['TEST_DATABASE_URL']) {
  const given = await openGivenDatabase(54_329)
  tests(
    `features once more, on ${given.from} by address`,
    ['--project', 'parts', 'api/', '--exclude', 'api/db/embedded/**'],
    {
      TEST_DATABASE_URL: given.url,
    },
  )
  await given.stop()
} else {
  counts.skipped += 1
  console.log(
    '\n— skipped: features on a PostgreSQL given by address; set TEST_DATABASE_URL or CI to run them',
  )
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed === 0 ? 0 : 1)
