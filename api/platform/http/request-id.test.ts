import { connect, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeHttpServer } from '#api/app.ts'
import { trusting } from './trusted-networks.ts'
import { startApi } from '#tests/setup/start-api.ts'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const given = '4bf92f3577b34da6a3ce929d0e0e4736'

function serverThat(trustProxy: false | string) {
  const app = makeHttpServer({ trustProxy, logLevel: 'silent' })
  app.get('/', (request) => request.id)
  const ask = async (remoteAddress: string, id?: string) => {
    const answer = await app.inject({ url: '/', remoteAddress, headers: id ? { 'x-request-id': id } : {} })
    expect(answer.body).toBe(answer.headers['x-request-id'])
    return answer.body
  }
  return { app, ask }
}

test('every answer has its own ID', async () => {
  const { ask } = serverThat(false)
  const [one, other] = [await ask('203.0.113.9'), await ask('203.0.113.9')]
  expect(one).toMatch(uuid)
  expect(other).toMatch(uuid)
  expect(one).not.toBe(other)
})

test('keeps the ID of a trusted proxy only', async () => {
  const { ask } = serverThat('loopback, 10.1.0.0/16, 2001:db8::1')
  for (const proxy of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.255.3', '2001:db8::1'])
    expect([proxy, await ask(proxy, given)]).toEqual([proxy, given])
  for (const stranger of ['203.0.113.9', '10.2.0.1', '2001:db8::2'])
    expect(await ask(stranger, given)).toMatch(uuid)
  expect(await serverThat(false).ask('127.0.0.1', given)).toMatch(uuid)
})

test('replaces a malformed ID, whoever sends it', async () => {
  const { ask } = serverThat('loopback')
  for (const id of [
    'short',
    'x'.repeat(101),
    'somebody@example.org',
    'two ids',
    '{"level":60}',
    'a/b/c/d/e',
    'né-a-paris-1970',
  ])
    expect([id, await ask('127.0.0.1', id)]).toEqual([id, expect.stringMatching(uuid)])
})

test('refusals have it too, even before routing, with bodies of the contract', async () => {
  const { app } = await startApi()
  for (const url of ['/v2/members/login', '/v2/nowhere', '/v2/%', '/%E0%A4%A', '/v2/ready', '/v2/docs']) {
    const answer = await app.inject({ url })
    expect([url, answer.headers['x-request-id']]).toEqual([url, expect.stringMatching(uuid)])
    expect(answer.body).not.toContain(String(answer.headers['x-request-id']))
  }
})

test('an unreadable request is answered with an ID as well', async () => {
  const app = makeHttpServer({ trustProxy: false, logLevel: 'silent' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const ask = (bytes: string) =>
    new Promise<string>((resolve) => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      let answer = ''
      socket.on('data', (part) => (answer += part.toString()))
      socket.on('close', () => resolve(answer))
      socket.on('error', () => {})
      socket.write(bytes)
    })
  for (const [bytes, status] of [
    ['nonsense\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    const answer = await ask(bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(/^x-request-id: (.*)\r$/m.exec(answer)?.[1]).toMatch(uuid)
  }
})

test('compares networks by their bits', () => {
  expect(trusting('10.0.0.0/8')('10.255.0.1')).toBe(true)
  expect(trusting('10.0.0.0/8')('11.0.0.1')).toBe(false)
  expect(trusting('fe80::/10')('fe80::1%eth0')).toBe(true)
  expect(trusting('loopback')(undefined)).toBe(false)
  expect(trusting('loopback')('nonsense')).toBe(false)
})
