export type TestCounts = {
  passed: number
  failed: number
  skipped: number
  /** The number of skipped tests that only the nightly run executes. */
  nightly: number
  secondTries: number
}

/** The closing lines of a run. The last one always has the same form, for programs that parse it. */
export function summarizeTests({ passed, failed, skipped, nightly, secondTries }: TestCounts): string {
  return [
    ...(nightly > 0
      ? [`${nightly} of the skipped tests are left for the nightly run (npm run test:full).`]
      : []),
    ...(secondTries > 0 ? [`${secondTries} of the passed tests needed a second try.`] : []),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ].join('\n')
}
