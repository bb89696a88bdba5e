import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { identifyRelease, PackRefused, type ReleaseIdentity } from './identify-release.ts'
import { describeRelease, packRelease, readManifest, runOrRefuse } from './pack-release.ts'
import { releaseChangeLog } from './release/change-log.ts'
import { signChecksums, writeChecksums } from './release/sign-files.ts'
import { recordPromised } from './release/stable-api.ts'
import { writeSbom } from './release/write-sbom.ts'

/* Makes a release (docs/how-to/release.md): names the version in a commit, packs the archive, and writes the SBOM, the
   checksums, and the signature. Then tags the commit. Never pushes. */

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const usage =
  'Usage: npm run release -- <version> [--no-tag], for example npm run release -- 1.2.0. The version has three numbers and may end in a suffix such as -rc.1.'

function readWords(words: readonly string[]): { version: string; isTagged: boolean } {
  const [version, ...others] = words.filter((word) => word !== '--no-tag')
  if (version === undefined || others.length > 0 || !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    throw new PackRefused(usage)
  return { version, isTagged: !words.includes('--no-tag') }
}

/** Another version of Node compresses and bundles differently, so the bytes would differ. */
function requirePackedNode(): void {
  const wanted = readManifest().dependencies['node']
  if (process.versions.node !== wanted)
    throw new PackRefused(
      `A release is made with Node ${wanted}, so that everyone gets the same bytes, but this is Node ${process.versions.node}. Run this command and try again: export PATH=$PWD/node_modules/node/bin:$PATH`,
    )
}

function run(command: string, words: readonly string[], problem: string): void {
  const { status, stderr } = spawnSync(command, words, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new PackRefused(`${problem}\n${stderr ?? ''}`.trim())
}

/** The chart names the image of its own release. */
function setChartVersion(version: string): void {
  const file = join(root, 'deploy/helm/coin/Chart.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`))
}

/**
 * Commits the version in package.json, in the lock file, in the chart, and in the change log, and what the API promises
 * from this version on, unless the version is committed already.
 */
function commitVersion(version: string): void {
  const changeLog = join(root, 'CHANGELOG.md')
  const before = readFileSync(changeLog, 'utf8')
  const after = releaseChangeLog(before, version, new Date().toISOString().slice(0, 10))
  if (after === before && readManifest().version === version) return
  writeFileSync(changeLog, after)
  recordPromised()
  setChartVersion(version)
  run(
    'npm',
    ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts'],
    'The version couldn’t be set.',
  )
  run(
    'git',
    ['commit', '--quiet', '--all', '--message', `Release ${version}`],
    'The version couldn’t be committed.',
  )
  console.log(`Committed version ${version}.`)
}

function tagVersion({ version, commit }: ReleaseIdentity, tag: string): void {
  run(
    'git',
    ['tag', '--annotate', '--message', `Release ${version}`, tag, commit],
    'The commit couldn’t be tagged.',
  )
  console.log(`Tagged the commit as ${tag}. To publish the release, run: git push origin HEAD ${tag}`)
}

async function writeFiles(identity: ReleaseIdentity, folder: string): Promise<void> {
  for (const each of [folder, join(root, 'dist')]) rmSync(each, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const packed = await packRelease(identity, folder)
  console.log(describeRelease(packed))
  writeSbom(root, packed.archive.replace(/\.tar\.gz$/, '.cdx.json'))
  writeChecksums(folder)
  const key = process.env['RELEASE_SIGNING_KEY']
  if (key) signChecksums(folder, key)
  else console.log('Not signed, because RELEASE_SIGNING_KEY isn’t set to the path of an SSH key.')
}

await runOrRefuse(async () => {
  const { version, isTagged } = readWords(process.argv.slice(2))
  requirePackedNode()
  identifyRelease(root, version)
  commitVersion(version)
  // The tag is part of the release's name, so it is named before it exists.
  const { tag: current, ...rest } = identifyRelease(root, version)
  const tag = `v${version}`
  const folder = join(root, 'release', tag)
  await writeFiles({ ...rest, tag }, folder)
  if (isTagged && current !== tag) tagVersion({ ...rest, tag }, tag)
  console.log(`The files are in ${relative(process.cwd(), folder)}.`)
})
