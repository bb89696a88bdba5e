import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Runs the command where it finds no repository, so that it never makes a release of this one. */
function release(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/node/bin/node'),
    ['scripts/run.mjs', 'release', ...words],
    {
      cwd: root,
      env: { ...process.env, GIT_DIR: join(root, 'nowhere') },
      encoding: 'utf8',
      timeout: 60_000,
    },
  )
  return { status, stdout, stderr }
}

test.each([[[]], [['1.2']], [['v1.2.0']], [['1.2.0', '--tag']], [['1.2.0', '1.3.0']]])(
  'shows its usage for %j',
  (words) => {
    expect(release(...words)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Usage: npm run release -- <version>/) as string,
    })
  },
)

test('refuses to make a release of something else than a commit', () => {
  expect(release('1.2.0', '--no-tag')).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('No git commit found.') as string,
  })
})
