import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { identifyRelease, releaseName, versionFile } from './identify-release.ts'

/** Creates a repository that ignores the Git configuration of this tree and the machine. */
async function aRepository() {
  const root = await makeTemporary('repository')
  onTestFinished(() => removeTemporary(root))
  const git = (...words: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false', ...words],
      { cwd: root, encoding: 'utf8' },
    ).trim()
  git('init', '--quiet')
  const commit = (text: string) => {
    writeFileSync(join(root, 'file'), text)
    git('add', '--all')
    git('commit', '--quiet', '--message', text)
    return git('rev-parse', 'HEAD')
  }
  return { root, git, commit, identify: () => identifyRelease(root, '1.2.0') }
}

test('names a release by its version and commit, with the tag of the commit', async () => {
  const { git, commit, identify } = await aRepository()
  const hash = commit('one')
  const short = hash.slice(0, 8)
  expect(identify()).toEqual({
    version: '1.2.0',
    tag: undefined,
    commit: hash,
    committedAt: Number(git('log', '-1', '--format=%ct')),
  })
  expect(releaseName(identify())).toBe(`1.2.0-${short}`)
  git('tag', 'candidate/1')
  expect(releaseName(identify())).toBe(`1.2.0-candidate-1-${short}`)
  git('tag', '--annotate', '--message', 'x', 'v1.2.0')
  expect(releaseName(identify())).toBe(`v1.2.0-${short}`)
  expect(versionFile(identify())).toBe(`1.2.0+${short}\ntag v1.2.0\ncommit ${hash}\n`)
})

test('two commits of one version have different names', async () => {
  const { commit, identify } = await aRepository()
  commit('one')
  const first = releaseName(identify())
  commit('two')
  expect(releaseName(identify())).not.toBe(first)
})

test('refuses changed and new files, and names them', async () => {
  const { root, commit, identify } = await aRepository()
  commit('one')
  writeFileSync(join(root, 'file'), 'changed')
  expect(identify).toThrow(/differ from the last commit[^]* M file/)
  commit('two')
  mkdirSync(join(root, 'web'))
  writeFileSync(join(root, 'web/new'), '')
  expect(identify).toThrow(/\?\? web/)
  writeFileSync(join(root, '.gitignore'), 'web/\n')
  commit('three')
  expect(identify().version).toBe('1.2.0')
})

test.each(['v1.2.0', '1.2.0'])('refuses a version that the tag %s gives to another commit', async (tag) => {
  const { git, commit, identify } = await aRepository()
  commit('one')
  git('tag', '--annotate', '--message', 'x', tag)
  expect(identify().tag).toBe(tag)
  commit('two')
  expect(identify).toThrow(`Version 1.2.0 is already in use: the tag ${tag} points to another commit`)
})

test('refuses a folder that is no repository, and one without a commit', async () => {
  const { identify } = await aRepository()
  expect(identify).toThrow('No git commit found')
  const folder = await makeTemporary('no-repository')
  onTestFinished(() => removeTemporary(folder))
  expect(() => identifyRelease(folder, '1.2.0')).toThrow('No git commit found')
})

test('the command packs nothing that it can’t identify, and says why', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'pack-release'], {
    cwd: join(import.meta.dirname, '..'),
    // No repository is there.
    env: { ...process.env, GIT_DIR: join(import.meta.dirname, 'nowhere') },
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain('No git commit found')
})
