import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SECOND } from '#contract/platform/durations.ts'
import { openBrowser } from '#tests/setup/browser.ts'
import { copyOfTree } from '#tests/setup/copy-of-tree.ts'
import { freePort } from '#tests/setup/start-product.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

/** Three seconds on an idle machine. On a busy one, a change still has to be faster than starting anew. */
const patience = 12 * SECOND

/** `npm run dev` on a copy of the tree. */
async function develop() {
  const tree = copyOfTree()
  const dataDir = await makeTemporary('hot-reloading')
  const url = `http://localhost:${await freePort()}`
  const { PATH, HOME } = process.env
  const begun = performance.now()
  const child = spawn(process.execPath, ['scripts/run.mjs', 'dev'], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, DATA_DIR: dataDir, PORT: new URL(url).port, DEMO_WORLD: 'off', LOG_LEVEL: 'warn' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    await removeTemporary(dataDir)
  })
  const policy = () =>
    fetch(`${url}/v2/ready`).then(
      ({ headers }) => headers.get('referrer-policy'),
      () => undefined,
    )
  await expect.poll(policy, { timeout: 120 * SECOND }).toBe('no-referrer')
  return { tree, url, policy, startedIn: performance.now() - begun, output: () => output }
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = readFileSync(file, 'utf8')
  expect(text.split(from)).toHaveLength(2)
  writeFileSync(
    file,
    text.replace(from, () => to),
  )
}

test('with a page open, a change of the API is there within seconds, and the page comes anew', async () => {
  const { tree, url, policy, startedIn, output } = await develop()
  const page = await (await openBrowser()).newPage({ baseURL: url })
  onTestFinished(() => page.close())
  // An edit before the connection is ready would be missed.
  const isConnected = () =>
    page.waitForEvent('console', {
      predicate: (message) => message.text() === '[vite] connected.',
      timeout: 120 * SECOND,
    })
  const connected = isConnected()
  await page.goto('/news', { waitUntil: 'networkidle' })
  await connected
  const unknown = await fetch(`${url}/v2/not-there`)
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
  ])
  const taken: number[] = []
  const values = ['no-referrer', 'origin', 'same-origin', 'strict-origin']
  for (const [at, value] of values.slice(1).entries()) {
    await page.evaluate(() => document.body.setAttribute('data-before', ''))
    const connectedAgain = isConnected()
    const begun = performance.now()
    await edit(
      join(tree, 'api/app.ts'),
      `'referrer-policy': '${values[at]}'`,
      `'referrer-policy': '${value}'`,
    )
    await expect.poll(policy, { interval: 20, timeout: 60 * SECOND }).toBe(value)
    taken.push(performance.now() - begun)
    await connectedAgain
    expect(await page.locator('body[data-before]').count()).toBe(0)
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  }
  expect(taken.toSorted((a, b) => a - b)[1], output()).toBeLessThan(Math.max(patience, startedIn))
})

test('a change of the words is seen in an open page', async () => {
  const { tree, url } = await develop()
  const page = await (await openBrowser()).newPage({ baseURL: url })
  onTestFinished(() => page.close())
  await page.goto('/news')
  const heading = page.getByRole('heading', { level: 1 })
  const written = 'Written a moment ago'
  await edit(
    join(tree, 'content/messages/en/news.json'),
    '"news.hero.title": "News"',
    `"news.hero.title": "${written}"`,
  )
  await expect.poll(() => heading.innerText()).toBe(written)
})
