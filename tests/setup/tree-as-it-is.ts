import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Sets an author for Git, whatever the settings of this machine are. */
export const author = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'commit.gpgsign',
  GIT_CONFIG_VALUE_0: 'false',
}

/**
 * Creates a repository in the folder whose only commit is this tree as it is, so that uncommitted changes can be tested.
 * Returns the environment in which Git uses it.
 */
export function commitTreeAsItIs(folder: string): NodeJS.ProcessEnv {
  const env = { ...process.env, ...author, GIT_DIR: join(folder, 'repository'), GIT_WORK_TREE: root }
  for (const words of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'As it is'],
  ])
    execFileSync('git', words, { cwd: root, env })
  return env
}

/** Packs a release of this tree as it is. Returns the path of the archive, and its unpacked size in megabytes. */
export function packTreeAsItIs(env: NodeJS.ProcessEnv): { archive: string; unpacked: number } {
  const said = execFileSync(process.execPath, ['scripts/run.mjs', 'pack-release'], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  const [, archive, unpacked] = /(\S+\.tar\.gz): \d+ MB, (\d+) MB unpacked/.exec(said)!
  return { archive: join(root, archive!), unpacked: Number(unpacked) }
}
