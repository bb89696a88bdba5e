import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { endSlowBodies } from './slow-bodies.ts'

async function start() {
  const app = Fastify()
  endSlowBodies(app, { within: 300, linger: 100 })
  app.post('/plain', () => 'read')
  app.post('/own', { config: { hasOwnPace: true } }, () => 'read')
  app.post(
    '/refused',
    { onRequest: async (_request, reply) => reply.code(401).send('refused') },
    () => 'read',
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return (path: string) => {
    const sent = request(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'text/plain', 'content-length': 10 },
    })
    const closed = new Promise<void>((resolve) => sent.on('close', resolve))
    const status = new Promise<number>((resolve, reject) => {
      sent.on('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode!)
      })
      sent.on('error', reject)
    })
    status.catch(() => {})
    sent.write('12345')
    return { sent, status, closed }
  }
}

test('a body that does not complete is abandoned, and its connection closed', async () => {
  const send = await start()
  const { status, closed } = send('/plain')
  expect(await status).toBe(408)
  await closed
})

test('a body with its own pace check may take longer', async () => {
  const send = await start()
  const [plain, own] = [send('/plain'), send('/own')]
  await plain.closed
  own.sent.end('67890')
  expect(await own.status).toBe(200)
})

test('a body answered before it is complete is not awaited', async () => {
  const send = await start()
  const { status, closed } = send('/refused')
  expect(await status).toBe(401)
  await closed
})
