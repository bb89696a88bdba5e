import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../platform/config/config.ts'
import { aReceiver } from '#tests/webhooks.ts'
import { sendRequest, type Reach } from './send-request.ts'

const settings = readConfig({})
const message = { headers: { 'content-type': 'application/json' }, body: '{"id":"evt_1"}' }
const limits = { answer: 400, rest: 100 }
const send = (url: string, reach: Partial<Reach> = {}) =>
  sendRequest(url, message, { settings, limits, ...reach })

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('returns status, time, and the start of the response of an accepted request', async () => {
  const { url, received } = await aReceiver(
    (response) => void response.writeHead(202).end('taken\u0000\u001b[31m!'),
  )
  expect(await send(url)).toEqual({
    status: 202,
    trouble: null,
    excerpt: 'taken[31m!',
    ms: expect.any(Number) as number,
  })
  expect(received).toMatchObject([
    { body: message.body, headers: { 'content-type': 'application/json', 'content-length': '14' } },
  ])
})

test.each([
  [301, 'redirected'],
  [302, 'redirected'],
  [307, 'redirected'],
  [308, 'redirected'],
  [400, 'status'],
  [404, 'status'],
  [410, 'gone'],
  [500, 'status'],
  [503, 'status'],
])('an answer of %i is %s, and no redirect is followed', async (status, trouble) => {
  const elsewhere = await aReceiver()
  const { url } = await aReceiver(
    (response) => void response.writeHead(status, { location: elsewhere.url }).end('no'),
  )
  expect(await send(url)).toMatchObject({ status, trouble, excerpt: 'no' })
  expect(elsewhere.received).toEqual([])
})

test('gives up in time on a receiver that never responds or never ends its headers', async () => {
  const { url } = await aReceiver(() => {})
  expect(await send(url)).toMatchObject({ status: null, trouble: 'timed_out' })
  const dripping = createTcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('x-more: 1\r\n'), 20)
    socket.on('close', () => clearInterval(timer)).on('error', () => {})
  })
  expect(await send(`http://127.0.0.1:${await listen(dripping)}/`)).toMatchObject({ trouble: 'timed_out' })
})

test('reads the first kilobyte of an endless response, and what there is of a stalled one', async () => {
  let sent = 0
  const { url, how } = await aReceiver((response) => {
    response.writeHead(200)
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  })
  expect(await send(url, { limits: { answer: 60_000, rest: 60_000 } })).toMatchObject({
    status: 200,
    trouble: null,
    excerpt: 'x'.repeat(1024),
  })
  expect(sent).toBeLessThan(32 * 1024 * 1024)
  how.answer = (response) => void response.writeHead(200).write('and then')
  expect(await send(url)).toMatchObject({ status: 200, trouble: null, excerpt: 'and then' })
})

test('fails if the connection is cut, refused, or not HTTP', async () => {
  const { url } = await aReceiver((response) => void response.destroy())
  expect(await send(url)).toMatchObject({ trouble: 'connection_lost' })
  const other = createTcpServer(
    (socket) => void socket.on('error', () => {}).end('220 smtp.example ready\r\n'),
  )
  expect(await send(`http://127.0.0.1:${await listen(other)}/`)).toMatchObject({ trouble: 'connection_lost' })
  const gone = createTcpServer()
  const port = await listen(gone)
  await new Promise((resolve) => gone.close(resolve))
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ trouble: 'connection_refused' })
})

test('does not call a name that resolves to an internal address, even if it changes later', async () => {
  let connections = 0
  const inside = createTcpServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const port = await listen(inside)
  const url = `https://hooks.example.com:${port}/`
  for (const addresses of [['127.0.0.1'], ['10.0.0.1', '::1'], ['::ffff:127.0.0.1'], ['169.254.169.254']]) {
    const resolve = async () => addresses
    expect(await send(url, { resolve })).toMatchObject({ status: null, trouble: 'address_refused' })
  }
  expect(connections).toBe(0)
  expect(await send(url, { resolve: async () => [] })).toMatchObject({ trouble: 'host_unknown' })
  const fails = async () => Promise.reject(new Error('no name server'))
  expect(await send(url, { resolve: fails })).toMatchObject({ trouble: 'host_unknown' })
})

test('resolves a name once per attempt, and connects to the checked address', async () => {
  const answers = [['93.184.216.34'], ['127.0.0.1']]
  let asked = 0
  const resolve = async () => answers[asked++]!
  const url = 'https://hooks.example.com:8443/'
  // This test can't reach this public address; what matters is that it never queries the second one.
  await send(url, { resolve, limits: { answer: 150, rest: 10 } })
  expect(asked).toBe(1)
  expect(await send(url, { resolve })).toMatchObject({ trouble: 'address_refused' })
})

test('uses the address’s name for TLS and verifies the certificate against it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=ledger.example -addext subjectAltName=DNS:ledger.example -keyout ${key} -out ${cert}`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  )
  const seen: unknown[] = []
  const server = createTlsServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (request, response) => {
      const { servername } = request.socket as unknown as { servername?: string }
      seen.push({ servername, host: request.headers.host })
      response.writeHead(204).end()
    },
  )
  const port = await listen(server)
  const own = readConfig({ WEBHOOK_PRIVATE_HOSTS: 'ledger.example,other.example' })
  const reach = { settings: own, resolve: async () => ['127.0.0.1'], limits: { answer: 10_000, rest: 100 } }
  const ca = readFileSync(cert, 'utf8')
  const good = await send(`https://ledger.example:${port}/in`, { ...reach, ca })
  expect(good).toMatchObject({ status: 204, trouble: null })
  expect(seen).toEqual([{ servername: 'ledger.example', host: `ledger.example:${port}` }])
  expect(await send(`https://ledger.example:${port}/in`, reach)).toMatchObject({ trouble: 'tls' })
  expect(await send(`https://other.example:${port}/in`, { ...reach, ca })).toMatchObject({ trouble: 'tls' })
  expect(seen).toHaveLength(1)
})
