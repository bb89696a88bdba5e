import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { author, commitTreeAsItIs } from '#tests/setup/tree-as-it-is.ts'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const run = (cwd: string, command: string, words: string[], environment: NodeJS.ProcessEnv = {}): string =>
  execFileSync(command, words, {
    cwd,
    env: { ...process.env, ...author, ...environment },
    encoding: 'utf8',
  }).trim()

/** Clones a repository, with the packages of this tree. On one file system, they take no space. */
function clone(source: string, folder: string): string {
  mkdirSync(dirname(folder), { recursive: true })
  run(root, 'git', ['clone', '--quiet', source, folder])
  run(root, 'cp', ['--archive', '--link', join(root, 'node_modules'), folder])
  return folder
}

/** Makes a release in a clone, as a shell with these settings would. */
const release = (folder: string, version: string, environment: NodeJS.ProcessEnv = {}) =>
  spawnSync(
    'sh',
    ['-c', `umask ${environment['MASK'] ?? '022'} && exec "$@"`, 'sh'].concat([
      join(folder, 'node_modules/node/bin/node'),
      'scripts/run.mjs',
      'release',
      version,
    ]),
    { cwd: folder, env: { ...process.env, ...author, ...environment }, encoding: 'utf8' },
  )

function commitChangeLog(folder: string, section: string): void {
  const file = join(folder, 'CHANGELOG.md')
  const text = readFileSync(file, 'utf8').replace(/^## \[Unreleased\]$/m, '## Older')
  writeFileSync(file, text.replace(/^## /m, `## [Unreleased]\n\n${section}\n\n## `))
  run(folder, 'git', ['commit', '--quiet', '--all', '--message', 'Describe the changes'])
}

const bytesIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  )

function checkSums(folder: string) {
  const { status, stdout } = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { isValid: status === 0, said: stdout }
}

function isSignatureValid(folder: string, signers: string): boolean {
  const words = ['-Y', 'verify', '-f', signers, '-I', 'releases', '-n', 'coin-site-release']
  const { status } = spawnSync('ssh-keygen', [...words, '-s', join(folder, 'SHA256SUMS.sig')], {
    input: readFileSync(join(folder, 'SHA256SUMS')),
  })
  return status === 0
}

test(
  'two people who release the same commit get the same bytes, which anyone can verify',
  { tags: ['nightly'], timeout: 600_000 },
  () => {
    mkdirSync(join(root, '.cache'), { recursive: true })
    const place = mkdtempSync(join(root, '.cache/release-'))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    commitTreeAsItIs(place)
    const first = clone(join(place, 'repository'), join(place, 'one'))

    commitChangeLog(first, '### Added\n\n- A page.')
    expect(release(first, '9.9.9').stderr).toContain('CHANGELOG.md has no upgrade notes for 9.9.9.')
    commitChangeLog(first, '### Before you upgrade\n\n- There is nothing to do.')
    writeFileSync(join(first, 'server.ts'), 'changed')
    expect(release(first, '9.9.9').stderr).toContain('These files differ from the last commit.')
    run(first, 'git', ['checkout', '--quiet', 'server.ts'])

    const key = join(place, 'key')
    run(place, 'ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key])
    const signed = { RELEASE_SIGNING_KEY: key }
    expect(release(first, '9.9.9', signed)).toMatchObject({ status: 0, stderr: '' })
    expect(run(first, 'git', ['describe'])).toBe('v9.9.9')
    expect(run(first, 'git', ['status', '--porcelain'])).toBe('')
    expect(readFileSync(join(first, 'CHANGELOG.md'), 'utf8')).toMatch(/^## \[9\.9\.9\] - \d{4}-\d\d-\d\d$/m)

    const chart = readFileSync(join(first, 'deploy/helm/coin/Chart.yaml'), 'utf8')
    expect(chart).toMatch(/^version: 9\.9\.9\nappVersion: 9\.9\.9$/m)

    const second = clone(first, join(place, 'another-folder-with-a-longer-name/and-deeper/two'))
    const elsewhere = { TZ: 'Asia/Shanghai', LC_ALL: 'C.UTF-8', MASK: '077' }
    expect(release(second, '9.9.9', { ...signed, ...elsewhere })).toMatchObject({ status: 0, stderr: '' })
    const [files, others] = [first, second].map((each) => join(each, 'release/v9.9.9')) as [string, string]
    expect(readdirSync(files)).toHaveLength(4)
    const differing = Object.entries(bytesIn(files)).filter(
      ([name, bytes]) => bytesIn(others)[name] !== bytes,
    )
    expect(differing.map(([name]) => name)).toEqual([])

    const signers = join(place, 'allowed_signers')
    writeFileSync(signers, `releases ${readFileSync(`${key}.pub`, 'utf8')}`)
    expect(checkSums(files).isValid).toBe(true)
    expect(isSignatureValid(files, signers)).toBe(true)
    const sbom = readdirSync(files).find((name) => name.endsWith('.cdx.json'))!
    const { components } = JSON.parse(readFileSync(join(files, sbom), 'utf8')) as {
      components: { name: string }[]
    }
    const names = components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['fastify', 'react', 'node']))
    for (const name of ['vite', 'vitest', 'linux-x64']) expect(names).not.toContain(name)

    writeFileSync(join(files, sbom), '{}')
    expect(checkSums(files)).toMatchObject({
      isValid: false,
      said: expect.stringContaining(`${sbom}: FAILED`) as string,
    })
    writeFileSync(join(files, 'SHA256SUMS'), '')
    expect(isSignatureValid(files, signers)).toBe(false)
  },
)
