import { spawnSync } from 'node:child_process'

/** Identifies the source of a release. */
export type ReleaseIdentity = {
  version: string
  /** The tag of the commit: the version's own tag, otherwise another one. */
  tag: string | undefined
  /** The full hash. */
  commit: string
  /** The time of the commit, in seconds since 1970. Every file in the release has it. */
  committedAt: number
}

/** Thrown if a release could not be identified by its name. */
export class PackRefused extends Error {}

const shownMax = 10
const shortLength = 8

/**
 * Reads the commit and the tag of the tree at `root`. Refuses uncommitted changes and a version that another commit has
 * used.
 */
export function identifyRelease(root: string, version: string): ReleaseIdentity {
  const git = (...words: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
    return status === 0 ? stdout.trimEnd() : undefined
  }
  const commit = git('rev-parse', '--verify', 'HEAD')
  if (commit === undefined)
    throw new PackRefused(
      'No git commit found. Pack the release in a clone of the repository, with git installed.',
    )
  const changed = (git('status', '--porcelain', '--', '.') ?? '').split('\n').filter((line) => line !== '')
  if (changed.length > 0)
    throw new PackRefused(
      [
        'These files differ from the last commit. Commit or remove them, then pack again:',
        ...changed.slice(0, shownMax),
        ...(changed.length > shownMax ? [`and ${changed.length - shownMax} more`] : []),
      ].join('\n'),
    )
  const ofVersion = [`v${version}`, version]
  for (const tag of ofVersion) {
    const tagged = git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`)
    if (tagged !== undefined && tagged !== commit)
      throw new PackRefused(
        `Version ${version} is already in use: the tag ${tag} points to another commit (${shortOf(tagged)}). Raise "version" in package.json (npm version patch --no-git-tag-version), commit, then pack again.`,
      )
  }
  const tags = (git('tag', '--points-at', 'HEAD') ?? '').split('\n').filter((tag) => tag !== '')
  return {
    version,
    tag: ofVersion.find((tag) => tags.includes(tag)) ?? tags[0],
    commit,
    committedAt: Number(git('log', '-1', '--format=%ct')),
  }
}

const shortOf = (commit: string): string => commit.slice(0, shortLength)

/** The file name of the release: the version, the tag if it adds information, and the commit. */
export function releaseName({ version, tag, commit }: ReleaseIdentity): string {
  const isOfVersion = tag === `v${version}` || tag === version
  const named = isOfVersion ? tag : tag === undefined ? version : `${version}-${tag}`
  return `${named.replaceAll(/[^\w.-]/g, '-')}-${shortOf(commit)}`
}

/**
 * The contents of `VERSION`. The first line is the version that the program reports (semantic versioning, with the
 * commit as build metadata).
 */
export const versionFile = ({ version, tag, commit }: ReleaseIdentity): string =>
  [`${version}+${shortOf(commit)}`, `tag ${tag ?? 'none'}`, `commit ${commit}`, ''].join('\n')
