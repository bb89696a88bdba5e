import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { defaultAppId } from '#contract/people/apps.ts'
import { observeOthers, worstOf } from '#tests/setup/observe-others.ts'
import { startOnCopy } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'

/** The longest time, in milliseconds, that others may wait for a response on an idle machine. */
const waitMax = 500
/** On a busy machine everything takes longer even without load. The limit is then this multiple. */
const timesQuiet = 8

const product = await startOnCopy({ TRUST_PROXY: 'loopback', LOG_LEVEL: 'silent' })
afterAll(async () => {
  await product.stop()
  await removeTemporary(product.dataDir)
})
const quiet = await observeOthers(product.url, () => new Promise((resolve) => setTimeout(resolve, 3000)))

const post = async (path: string, body: string, client = '203.0.113.5'): Promise<number> => {
  const answer = await fetch(`${product.url}/v2/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app-id': defaultAppId, 'x-forwarded-for': client },
    body,
  })
  expect((await answer.arrayBuffer()).byteLength).toBeLessThan(32_768)
  return answer.status
}

const page = async (path: string, client: string): Promise<number> => {
  const answer = await fetch(product.url + path, { headers: { 'x-forwarded-for': client } })
  await answer.arrayBuffer()
  return answer.status
}

/** Sends this many requests at a time for long enough to see whether others have to wait. */
async function flood(atOnce: number, send: (n: number) => Promise<number>): Promise<Map<number, number>> {
  const until = performance.now() + 5000
  const statuses = new Map<number, number>()
  let sent = 0
  const one = async () => {
    while (performance.now() < until) {
      const status = await send((sent += 1))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return statuses
}

const fields = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')}}`
const unknown = fields(23_000)
const nested = `{"email":${'['.repeat(60_000)}1${']'.repeat(60_000)}}`
const long = `{"email":"${'x'.repeat(250_000)}","password":"${'y'.repeat(200)}"}`

const attacks: Record<string, () => Promise<Map<number, number>>> = {
  'bodies of 23,000 unknown fields': () => flood(4, () => post('members/login', unknown)),
  'deeply nested bodies': () => flood(4, () => post('members/login', nested)),
  'one long text': () => flood(4, () => post('members/create', long)),
  'sign-ups, 50 at once from one client': () =>
    flood(50, (n) =>
      post('members/create', JSON.stringify({ email: `flood${n}@example.org`, password: 'a password' })),
    ),
  'wrong passwords from many clients': () =>
    flood(20, (n) =>
      post(
        'members/login',
        JSON.stringify({ email: `a${n}@example.org`, password: 'wrong' }),
        `203.0.113.${n % 250}`,
      ),
    ),
  'searches of the news from one client': () => flood(20, (n) => page(`/news?q=word${n}`, '203.0.113.5')),
  'searches of the news from many clients': () =>
    flood(20, (n) => page(`/${n % 2 ? 'cn/' : ''}news?q=other${n}`, `203.0.${n % 200}.${n % 250}`)),
  'pages that are not there': () => flood(20, (n) => page(`/news/nothing-${n}`, '203.0.113.5')),
  'bodies that come a byte at a time': async () => {
    const { hostname, port } = new URL(product.url)
    const sockets = Array.from({ length: 300 }, (): Socket => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.write(
        `POST /v2/members/login HTTP/1.1\r\nhost: ${hostname}\r\nx-app-id: ${defaultAppId}\r\ncontent-type: application/json\r\ncontent-length: 200000\r\n\r\n{`,
      )
      return socket
    })
    const drip = setInterval(() => sockets.forEach((socket) => socket.write(' ')), 500)
    await new Promise((resolve) => setTimeout(resolve, 5000))
    clearInterval(drip)
    for (const socket of sockets) socket.destroy()
    return new Map()
  },
}

test.each(Object.keys(attacks))('during %s others wait no longer than half a second', async (name) => {
  let statuses = new Map<number, number>()
  const observed = await observeOthers(product.url, async () => (statuses = await attacks[name]!()))
  console.log(
    `${name}: others waited ${Math.round(worstOf(observed))} ms at most (quiet ${Math.round(worstOf(quiet))} ms); ` +
      `answers ${JSON.stringify(Object.fromEntries(statuses))}`,
  )
  expect(observed.failures).toBe(0)
  expect(worstOf(observed)).toBeLessThan(Math.max(waitMax, timesQuiet * worstOf(quiet)))
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([])
})
