import { defineConfig } from 'vitest/config'

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
          testTimeout: 90_000,
          // A page is waited for as long as a patient person would; a slow machine is no failure.
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
})
