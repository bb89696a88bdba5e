import { spawnSync } from 'node:child_process'

/** What a release is packed from. */
export type ReleaseIdentity = {
  version: string
  /** The tag of the commit: that of the version, or else another one. */
  tag: string | undefined
  /** The whole hash. */
  commit: string
}

/** A release that would not say what is in it. */
export class PackRefused extends Error {}

const shownMax = 10
const shortLength = 8

/** Reads the commit and the tag of the tree at `root`. Refuses changes that no commit has, and a version that another commit has used. */
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
  return { version, tag: ofVersion.find((tag) => tags.includes(tag)) ?? tags[0], commit }
}

const shortOf = (commit: string): string => commit.slice(0, shortLength)

/** For the name of a file: the version, the tag where it says more than the version, and the commit. */
export function releaseName({ version, tag, commit }: ReleaseIdentity): string {
  const isOfVersion = tag === `v${version}` || tag === version
  const named = isOfVersion ? tag : tag === undefined ? version : `${version}-${tag}`
  return `${named.replaceAll(/[^\w.-]/g, '-')}-${shortOf(commit)}`
}

/** What stands in `VERSION`. The first line is what the program says of itself (semantic versioning, with the commit as build). */
export const versionFile = ({ version, tag, commit }: ReleaseIdentity): string =>
  [`${version}+${shortOf(commit)}`, `tag ${tag ?? 'none'}`, `commit ${commit}`, ''].join('\n')
