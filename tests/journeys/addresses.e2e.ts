import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { defaultAppId } from '#contract/people/apps.ts'
import { startOnCopy } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'

const publicUrl = 'https://coin.example'
const product = await startOnCopy({ PUBLIC_URL: publicUrl })
afterAll(async () => {
  await product.stop()
  await removeTemporary(product.dataDir)
})

/** Sends a request as bytes, because client libraries would correct it. */
const send = (target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<string> =>
  new Promise((resolve, reject) => {
    const lines = { host: 'coin.example', connection: 'close', 'x-app-id': defaultAppId, ...headers }
    const socket = connect(Number(new URL(product.url).port), 'localhost')
    let answer = ''
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString('latin1')))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`)
    socket.write([`${method} ${target} HTTP/1.1`, ...head, '', ''].join('\r\n'))
  })

const paths = (
  '/ /cn/ /news /cn/news /login /?language=cn /cn/news?language=en&page=2 /cn//evil.example/?language=en /nothing ' +
  '/sitemap.xml /robots.txt /news/feed.atom /.well-known/security.txt /llms.txt /dev/inbox ' +
  '/v2/announcements/en?limit=1 /v2/openapi.json /v2/members/session'
).split(' ')
const attacksOn = (path: string): [string, Record<string, string>][] => [
  [`http://evil.example${path}`, {}],
  [`https://evil.example:444${path}`, { host: 'evil.example' }],
  [path, { host: 'evil.example' }],
  [path, { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }],
  [
    path,
    { forwarded: 'host=evil.example', 'x-original-url': '//evil.example', 'x-rewrite-url': '//evil.example' },
  ],
  [`//evil.example${path}`, {}],
  [`/\\evil.example${path}`, {}],
]

test.each(paths)(
  '%s leads nowhere but to PUBLIC_URL, whatever the request line and its headers say',
  async (path) => {
    for (const [target, headers] of attacksOn(path))
      for (const accept of ['text/html', 'application/json']) {
        const answer = await send(target, { accept, ...headers })
        expect(answer).toMatch(/^HTTP\/1\.1 [2345]/)
        expect(answer).not.toMatch(/^HTTP\/1\.1 500/)
        const head = answer.slice(0, answer.indexOf('\r\n\r\n'))
        expect(head).not.toContain('evil')
        expect(answer).not.toContain('//evil.example')
        const location = /^location: (.*)$/im.exec(head)?.[1]
        if (location !== undefined) expect(location).toMatch(/^\/($|[^/\\])/)
        for (const [, cookie] of head.matchAll(/^set-cookie: (.*)$/gim)) {
          expect(cookie).toContain('Secure')
          expect(cookie).not.toMatch(/domain=/i)
        }
      }
  },
)

test('mails with codes are not read under a public address', async () => {
  const port = new URL(product.url).port
  for (const host of ['coin.example', 'localhost', `localhost:${port}`, '127.0.0.1'])
    expect(await send('/dev/inbox', { host })).toMatch(/^HTTP\/1\.1 404/)
})
