import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findQuickStorage } from './tests/setup/quick-storage.ts'
import Sequencer from './tests/setup/sequencer.ts'

/** Journeys that measure how soon the program stands again, or answers others: nothing runs beside them. */
const kills = ['tests/journeys/**/*kill.e2e.ts', 'tests/journeys/**/*load.e2e.ts']

/**
 * Long proofs that the nightly run repeats: hundreds of payloads in a browser, every byte of the database searched for
 * plain text, the way through journeys that stand here one by one, and those whose parts have tests by day.
 */
const nightly = [
  'news-hostile',
  'identity-plaintext',
  'identity-to-order',
  'second-try',
  'newsroom-translations',
  'own-data',
  'other-browsers',
  'found-and-shared',
  'lost-phone',
  'news-authenticity',
  'news-films',
  'news-writing',
  'newsroom-publishing',
  'uncovered',
  'content',
  'ambassadors',
  'newsroom-writing',
  'official',
  'news-by-mail',
  'hot-reloading',
  'widths',
].map((name) => `tests/journeys/${name}.e2e.ts`)
/** Of the parts likewise: servers that are killed, and folders and files that are damaged in every way. */
const nightlyParts = ['embedded/killed', 'embedded/refusals', 'dump'].map((name) => `api/db/${name}.test.ts`)
/** Of the screens those that load modules anew, or others in their place: they have modules of their own. */
const apart = [
  'web/content/load-messages.test.ts',
  'web/session/session.test.ts',
  'web/layout/waiting-rights-slot.test.tsx',
  'web/console/list/console-list.test.tsx',
]
const aroundScreens = ['tests/setup/all-pages.ts', 'tests/setup/around-screens.ts']
const isFull = process.env['TESTS'] === 'full'

/** What is awaited is awaited as long as a patient person would: a machine that does much else is no failure. */
const expectation = { poll: { timeout: 30_000 } }

// Whoever names a place for temporary files knows better.
const quickStorage = process.env['TMPDIR'] ? undefined : findQuickStorage()
if (quickStorage) process.env['TMPDIR'] = quickStorage

const globalSetup = ['tests/setup/database-server.ts']

export default defineConfig({
  test: {
    setupFiles: ['tests/setup/fail-on-noise.ts'],
    tags: [
      {
        name: 'nightly',
        description: 'Proves by repetition, such as memory over rounds and series of times.',
      },
    ],
    // Twice the two cores that are counted on, because a journey waits for pages as long as it computes; no more than the
    // hundred connections of one database server are enough for.
    maxWorkers: Math.min(6, Math.max(4, availableParallelism())),
    // A test that failed is tried once more, and said (decision 0050): four workers share two processors with a browser.
    retry: 1,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: expectation,
    sequence: { sequencer: Sequencer },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          globalSetup,
          // Importing the program anew for each file takes longer than most of the tests. The night measures memory.
          isolate: isFull,
          include: [
            'contract/**/*.test.ts',
            'api/**/*.test.ts',
            'demo/**/*.test.ts',
            'serve/**/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
            'tests/guards/**/*.test.ts',
          ],
          exclude: isFull ? [] : nightlyParts,
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: apart,
          setupFiles: aroundScreens,
          // As with parts: what a test leaves in the window is cleared after it.
          isolate: isFull,
        },
      },
      {
        extends: true,
        test: { name: 'screens apart', include: apart, setupFiles: aroundScreens },
      },
      {
        extends: true,
        // The program as it is, with a content that has one more language.
        resolve: {
          alias: [
            { find: /^#content\//, replacement: `${import.meta.dirname}/.cache/content-with-spanish/` },
            {
              find: /^.*\/content-folder\.ts$/,
              replacement: `${import.meta.dirname}/tests/further-language/content-folder.ts`,
            },
          ],
        },
        test: {
          name: 'further-language',
          globalSetup: ['tests/further-language/set-up.ts'],
          include: ['tests/further-language/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          globalSetup,
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
          globalSetup,
          include: kills,
          // How soon the program stands again is measured, so nothing runs beside.
          fileParallelism: false,
        },
      },
    ],
  },
})
