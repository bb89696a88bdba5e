export type TestCounts = {
  passed: number
  failed: number
  skipped: number
  /** Of the skipped, those that only the nightly run executes. */
  nightly: number
  secondTries: number
}

/** The closing lines of a run; the last one has the same form in every run, for programs that read it. */
export function summarizeTests({ passed, failed, skipped, nightly, secondTries }: TestCounts): string {
  return [
    ...(nightly > 0
      ? [`${nightly} of the skipped tests are left for the nightly run (npm run test:full).`]
      : []),
    ...(secondTries > 0 ? [`${secondTries} of the passed tests needed a second try.`] : []),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ].join('\n')
}
