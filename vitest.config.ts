import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findQuickStorage } from './tests/setup/quick-storage.ts'
import Sequencer from './tests/setup/sequencer.ts'

/** Tests that measure startup and response times. Nothing else runs alongside them. */
const kills = ['tests/journeys/**/*kill.e2e.ts', 'tests/journeys/**/*load.e2e.ts']

/**
 * Long tests that run only nightly: hundreds of payloads in a browser, a search of the whole database for plaintext,
 * combinations of journeys that are tested separately, and journeys whose parts are tested in every run.
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
/** Nightly tests of the API: servers that are killed, and folders and files that are damaged in every way. */
const nightlyParts = ['embedded/killed', 'embedded/refusals', 'dump'].map(
  (name) => `api/platform/db/${name}.test.ts`,
)
/** Screen tests that reload or replace modules, so they need an isolated module registry. */
const apart = [
  'web/kernel/content/load-messages.test.ts',
  'web/kernel/session/session.test.ts',
  'web/kernel/layout/pending-rights-slot.test.tsx',
  'web/console/list/console-list.test.tsx',
]
const aroundScreens = ['tests/setup/all-pages.ts', 'tests/setup/around-screens.ts']
const isFull = process.env['TESTS'] === 'full'

/** Assertions wait as long as a patient person would, because a busy machine is not a failure. */
const expectation = { poll: { timeout: 30_000 } }

// An explicit TMPDIR takes precedence.
const quickStorage = process.env['TMPDIR'] ? undefined : findQuickStorage()
if (quickStorage) process.env['TMPDIR'] = quickStorage

const globalSetup = ['tests/setup/database-server.ts']

export default defineConfig({
  test: {
    setupFiles: ['tests/setup/fail-on-noise.ts'],
    tags: [
      {
        name: 'nightly',
        description: 'Tests that measure by repetition, such as memory use over many rounds.',
      },
    ],
    // Twice the two cores that are assumed, because journeys spend as much time waiting for pages as computing. The
    // upper limit keeps within the 100 connections of one database server.
    maxWorkers: Math.min(6, Math.max(4, availableParallelism())),
    // A failed test is retried once and reported (decision 0050), because four workers share two processors with a
    // browser.
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
          // Importing the application for each file takes longer than most tests. Only the nightly run isolates files,
          // because it measures memory.
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
          // As in the project above. Whatever a test leaves in the window is cleared afterwards.
          isolate: isFull,
        },
      },
      {
        extends: true,
        test: { name: 'screens apart', include: apart, setupFiles: aroundScreens },
      },
      {
        extends: true,
        // The application as it is, with content in one more language.
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
          // Test files of a worker share its browser, but each has its own product and visitors.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'kills',
          globalSetup,
          include: kills,
          // Startup times are measured, so nothing runs in parallel.
          fileParallelism: false,
        },
      },
    ],
  },
})
