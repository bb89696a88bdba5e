import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { freePort, stop } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { commitTreeAsItIs, packTreeAsItIs } from '#tests/setup/tree-as-it-is.ts'

test(
  'a packed release runs where there is no registry, no builder and no Node',
  { tags: ['nightly'] },
  async () => {
    const folder = await makeTemporary('release')
    onTestFinished(() => removeTemporary(folder))
    const env = commitTreeAsItIs(folder)
    const { archive, unpacked } = packTreeAsItIs(env)
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { env, encoding: 'utf8' }).trim()
    // The container image may have 350 MB, of which its base, debian:bookworm-slim, needs about 80.
    expect(unpacked).toBeLessThan(250)
    expect(archive).toContain(commit.slice(0, 8))
    execFileSync('tar', ['-xzf', archive, '-C', folder])
    const release = join(
      folder,
      readdirSync(folder).find((name) => name.startsWith('coin-site-'))!,
    )
    expect(readFileSync(join(release, 'VERSION'), 'utf8')).toContain(`commit ${commit}`)
    expect(existsSync(join(release, 'node_modules/vite'))).toBe(false)
    expect(execFileSync(join(release, 'coin'), { env: {}, encoding: 'utf8' })).toContain(
      'Usage: coin COMMAND',
    )

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
