import { defineConfig } from 'vitest/config'
import { findQuickStorage } from './tests/setup/quick-storage.ts'

const kills = ['tests/journeys/**/*kill.e2e.ts']

/**
 * Long proofs that the nightly run repeats: hundreds of payloads in a browser, every byte of the database searched for
 * plain text, and the way through journeys that stand here one by one.
 */
const nightly = ['news-hostile', 'identity-plaintext', 'identity-to-order'].map(
  (name) => `tests/journeys/${name}.e2e.ts`,
)
const isFull = process.env['TESTS'] === 'full'

/** What is awaited is awaited as long as a patient person would: a machine that does much else is no failure. */
const expectation = { poll: { timeout: 30_000 } }

// Whoever names a place for temporary files knows better.
const quickStorage = process.env['TMPDIR'] ? undefined : findQuickStorage()
if (quickStorage) process.env['TMPDIR'] = quickStorage

export default defineConfig({
  test: {
    globalSetup: ['tests/setup/database-server.ts'],
    setupFiles: ['tests/setup/fail-on-noise.ts'],
    tags: [
      {
        name: 'nightly',
        description: 'Proves by repetition, such as memory over rounds and series of times.',
      },
    ],
    // One more than the two cores that are counted on: a journey waits for pages as long as it computes.
    maxWorkers: 3,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: expectation,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: [
            'contract/**/*.test.ts',
            'api/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'serve/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/guards/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.e2e.ts'],
          exclude: isFull ? kills : [...kills, ...nightly],
          // Files of a worker share its browser; each has a product and visitors of its own.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'kills',
          include: kills,
          // How soon the program stands again is measured, so nothing runs beside.
          fileParallelism: false,
        },
      },
    ],
  },
})
