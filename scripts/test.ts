// Everything that a change must pass, fastest checks first. CI runs this. `full` is the nightly run: the same, plus
// tests that measure by repetition.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { findChromium } from './find-chromium.ts'
import { openGivenDatabase } from './given-database.ts'
import { summarizeTests, type TestCounts } from './summarize-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`
const isFull = process.argv[2] === 'full'
const counts: TestCounts = { passed: 0, failed: 0, skipped: 0, nightly: 0, secondTries: 0 }

type Options = {
  environment?: Record<string, string>
  /** Its output is shown at its end, because another step runs in parallel. */
  isBeside?: boolean
}

async function step(
  name: string,
  command: string,
  words: string[],
  { environment = {}, isBeside = false }: Options = {},
): Promise<boolean> {
  if (!isBeside) console.log(`\n— ${name}`)
  const begun = performance.now()
  const child = spawn(command, words, {
    cwd: root,
    stdio: isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...environment },
  })
  const [status, ...said] = await Promise.all([
    new Promise<number | null>((resolve) => child.once('close', resolve)),
    ...[child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')),
  ])
  if (isBeside) console.log(`\n— ${name}\n${said.join('').trim()}`)
  console.log(
    `— ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - begun) / 1000).toFixed(1)} s`,
  )
  counts[status === 0 ? 'passed' : 'failed'] += 1
  return status === 0
}

const reporters = ['default', 'json', `${root}tests/setup/second-tries.ts`].map(
  (name) => `--reporter=${name}`,
)

type Report = { testResults: { assertionResults: { status: string; tags?: string[] }[] }[] }

/** Runs tests and counts them one by one. */
async function tests(name: string, words: string[], environment: Record<string, string> = {}): Promise<void> {
  mkdirSync(`${root}.cache`, { recursive: true })
  const report = `${root}.cache/tests.json`
  const secondTries = `${root}.cache/second-tries.json`
  for (const file of [report, secondTries]) rmSync(file, { force: true })
  const chosen = isFull ? [] : ['--tags-filter=!nightly']
  const isPassed = await step(
    name,
    bin('vitest'),
    ['run', ...words, ...chosen, ...reporters, `--outputFile.json=${report}`],
    { environment: { ...environment, SECOND_TRIES: secondTries, ...(isFull && { TESTS: 'full' }) } },
  )
  counts[isPassed ? 'passed' : 'failed'] -= 1
  counts.secondTries += (JSON.parse(readFileSync(secondTries, 'utf8')) as unknown[]).length
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = results.filter(({ status }) => status === 'failed').length
  const passed = results.filter(({ status }) => status === 'passed').length
  const forTheNight = results.filter(({ tags }) => !isFull && tags?.includes('nightly')).length
  counts.passed += passed
  counts.failed += failed + (isPassed || failed > 0 ? 0 : 1)
  counts.skipped += results.length - passed - failed
  counts.nightly += forTheNight
}

// Each of these leaves one of two processors idle for part of its time. The tests begin after them, because browser
// tests are sensitive to timing and other work slows them down.
const beside = { isBeside: true }
const checks = [
  // The type checkers share much of their input, so there are no more of them than processors.
  step('types', bin('tsc'), ['-b', '--checkers', String(Math.min(4, availableParallelism()))], beside),
  step('lint', bin('oxlint'), ['--type-aware'], beside),
  step('format', bin('oxfmt'), ['--check'], beside),
  step('spelling', bin('cspell'), ['lint', '--no-progress', '--no-summary'], beside),
]
const isBuilt = await step('build', process.execPath, [`${root}scripts/build.ts`], beside)
await Promise.all(checks)
if (!isBuilt) process.exit(1)
const chromium = await findChromium()
console.log(`\nChromium: ${chromium.from}`)
await tests('parts, guards, and journeys in a browser on the built product', [
  '--project=parts',
  '--project=screens',
  '--project=screens apart',
  '--project=further-language',
  '--project=journeys',
])
if (isFull) {
  await tests('kills and floods of the built product, one journey at a time', ['--project=kills'])
  const given = await openGivenDatabase(54_329)
  await tests(
    `features once more, on ${given.from} by address`,
    ['--project=parts', 'api/', '--exclude=api/db/embedded/**'],
    {
      TEST_DATABASE_URL: given.url,
    },
  )
  await given.stop()
}
console.log(`\n${summarizeTests(counts)}`)
process.exit(counts.failed === 0 ? 0 : 1)
