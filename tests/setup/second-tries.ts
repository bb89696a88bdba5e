import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'

export type SecondTry = { file: string; test: string; first: string }

/**
 * Reports the tests that passed only on their second try, and how the first one failed: the machine may be short of
 * time, or the product may have a race. The reports are counted at the end of the run (scripts/test.ts).
 */
export default class SecondTries implements Reporter {
  readonly #seen: SecondTry[] = []

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return
    const [error] = test.result().errors ?? []
    this.#seen.push({
      file: test.module.relativeModuleId,
      test: test.fullName,
      first: error?.stack ?? error?.message ?? '',
    })
  }

  onTestRunEnd(): void {
    for (const { file, test, first } of this.#seen) {
      console.log(`\nPassed at the second try only: ${file} > ${test}\n${first}`)
    }
    const place = process.env['SECOND_TRIES']
    if (place) writeFileSync(place, JSON.stringify(this.#seen))
  }
}
