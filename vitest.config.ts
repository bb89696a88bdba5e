import { defineConfig } from 'vitest/config'

const kills = ['tests/journeys/**/*kill.e2e.ts']

/** A page is waited for as long as a patient person would; a slow machine is no failure. */
const patience = { testTimeout: 90_000, expect: { poll: { timeout: 15_000 } } }

export default defineConfig({
  test: {
    globalSetup: ['tests/setup/database-server.ts'],
    setupFiles: ['tests/setup/fail-on-noise.ts'],
    // Two cores: more workers would only wait for one another.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
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
          exclude: kills,
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'kills',
          include: kills,
          ...patience,
          // How soon the program stands again is measured, so nothing runs beside.
          fileParallelism: false,
        },
      },
    ],
  },
})
