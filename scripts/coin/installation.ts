import { lstatSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StartRefused } from '#api/platform/start-refused.ts'
import { runProgram } from './run-program.ts'

/** A server's folder, such as `/opt/coin`, with the folder `releases` and the link `current` to one of them. */
export type Installation = { home: string; releases: string }

/** Finds the installation that the release at `root` belongs to. */
export function findInstallation(root = resolve(import.meta.dirname, '../..')): Installation {
  const releases = dirname(root)
  const home = dirname(releases)
  const hasLink = lstatSync(join(home, 'current'), { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  if (basename(releases) === 'releases' && hasLink) return { home, releases }
  throw new StartRefused(
    `This command needs a server that was installed from a release, with the folder releases and the link current side by side (docs/how-to/install-and-upgrade.md). ${root} isn’t in such a folder.`,
  )
}

/** Returns the name of the release that `current` leads to. */
export function currentRelease({ home, releases }: Installation): string {
  const target = realpathSync(join(home, 'current'))
  if (dirname(target) === realpathSync(releases)) return basename(target)
  throw new StartRefused(`The link ${join(home, 'current')} doesn’t lead to a folder in ${releases}.`)
}

const namePattern = /^coin-site-[\w.+-]+-[a-z\d]+-[a-z\d]+$/

/** Whether a folder has the name of a release for this platform. */
export const isReleaseName = (name: string): boolean =>
  namePattern.test(name) && name.endsWith(`-${process.platform}-${process.arch}`)

/** Lists the installed releases in the order of their names. */
export const listReleases = ({ releases }: Installation): string[] =>
  readdirSync(releases)
    .filter((name) => namePattern.test(name))
    .toSorted()

/** Makes `current` lead to this release, in one step. */
export function switchTo({ home, releases }: Installation, name: string): void {
  const link = join(home, 'current.new')
  rmSync(link, { force: true })
  symlinkSync(join(releases, name), link)
  renameSync(link, join(home, 'current'))
}

/** Returns the version of a release, such as `0.2.0+5e6f7a8b`. */
export const versionOf = ({ releases }: Installation, name: string): string =>
  readFileSync(join(releases, name, 'VERSION'), 'utf8').split('\n')[0]!

/** Lists the migrations of a release in the order of their names. */
export const migrationsOf = ({ releases }: Installation, name: string): string[] =>
  readdirSync(join(releases, name, 'api/platform/db/migrations'))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted()

/** Runs a command of a release. Throws what it printed if it fails. */
export async function runIn(
  { releases }: Installation,
  name: string,
  words: readonly string[],
): Promise<void> {
  const folder = join(releases, name)
  const node = join(folder, 'node_modules/node/bin/node')
  // If this command is killed, the other one must not go on migrating or restoring.
  const env = { ...process.env, ENDS_WITH_PARENT: '1' }
  const { isDone, said } = await runProgram(node, ['scripts/run.mjs', ...words], { cwd: folder, env })
  if (!isDone) throw new StartRefused(sentenceOf(said))
}

/** In production, a command prints its sentence as a line of JSON. */
function sentenceOf(text: string): string {
  const last = text.split('\n').at(-1)!
  try {
    return (JSON.parse(last) as { msg: string }).msg
  } catch {
    return last
  }
}
