import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { freePort, stop } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test(
  'a packed release runs where there is no registry, no builder and no Node',
  { tags: ['nightly'] },
  async () => {
    // A repository whose last commit is the tree as it is, so that uncommitted changes can be tested.
    const folder = await makeTemporary('release')
    onTestFinished(() => removeTemporary(folder))
    const env = { ...process.env, GIT_DIR: join(folder, 'repository'), GIT_WORK_TREE: root }
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
    const git = (...words: string[]) =>
      execFileSync('git', [...author, ...words], { cwd: root, env, encoding: 'utf8' }).trim()
    git('init', '--quiet')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'as it is')
    const said = execFileSync(process.execPath, ['scripts/run.mjs', 'pack-release'], {
      cwd: root,
      env,
      encoding: 'utf8',
    })
    const commit = git('rev-parse', 'HEAD')
    const [, archive, unpacked] = /(\S+\.tar\.gz): \d+ MB, (\d+) MB unpacked/.exec(said)!
    // The container image may have 350 MB, of which its base, debian:bookworm-slim, needs about 80.
    expect(Number(unpacked)).toBeLessThan(250)
    expect(archive).toContain(commit.slice(0, 8))
    execFileSync('tar', ['-xzf', join(root, archive!), '-C', folder])
    const release = join(
      folder,
      readdirSync(folder).find((name) => name.startsWith('coin-site-'))!,
    )
    expect(readFileSync(join(release, 'VERSION'), 'utf8')).toContain(`commit ${commit}`)
    expect(existsSync(join(release, 'node_modules/vite'))).toBe(false)

    const databaseUrl = await copyTemplate()
    onTestFinished(() => dropDatabase(databaseUrl))
    const port = String(await freePort())
    let output = ''
    const child = spawn(join(release, 'node_modules/node/bin/node'), ['scripts/run.mjs', 'start'], {
      cwd: release,
      env: {
        NODE_ENV: 'production',
        ENDS_WITH_PARENT: '1',
        DATABASE_URL: databaseUrl,
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        DATA_DIR: join(folder, 'data'),
        PORT: port,
      },
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString()))
    onTestFinished(async () => void (await stop(child, 'SIGKILL')))
    const statusOf = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status,
        () => (child.exitCode === null ? 0 : output),
      )
    await expect.poll(() => statusOf('/v2/ready'), { timeout: 60_000 }).toBe(200)
    for (const path of [
      '/',
      '/cn/news',
      '/console',
      '/assets/i18n/cn.json',
      '/v2/docs',
      '/verify-a-post.txt',
    ])
      expect([path, await statusOf(path)]).toEqual([path, 200])
    expect(await stop(child)).toBe(0)
  },
)
