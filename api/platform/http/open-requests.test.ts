import { connect, type AddressInfo, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { watchOpenRequests } from './open-requests.ts'

async function aServer(within = 60_000) {
  const app: FastifyInstance = Fastify({ return503OnClosing: false })
  const requests = watchOpenRequests(app, { stall: 100, within })
  let finish: (() => void) | undefined
  app.post('/', async () => 'taken')
  app.get('/work', async () => {
    await new Promise<void>((resolve) => (finish = resolve))
    return 'done'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const sockets: Socket[] = []
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  const send = async (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    let heard = ''
    socket.on('data', (piece: Buffer) => (heard += piece.toString()))
    const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)))
    socket.write(text)
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { socket, ended }
  }
  const close = () => Promise.all([requests.endStalled(), app.close()])
  return { send, close, finish: () => finish!(), isWorking: () => finish !== undefined }
}

const body = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\n'

test('stalled bodies and headers are closed, so that the server can end', async () => {
  const { send, close } = await aServer()
  const [half, headers] = [await send(`${body}ab`), await send('GET / HT')]
  await close()
  expect(await half.ended).not.toContain('200')
  await headers.ended
})

test('waits for a body in progress, and for running work, however long', async () => {
  const { send, close, finish, isWorking } = await aServer()
  const slow = await send(body)
  const worked = await send('GET /work HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await expect.poll(isWorking, { interval: 5 }).toBe(true)
  const closed = close()
  for (const letter of 'abcde') {
    await new Promise((resolve) => setTimeout(resolve, 60))
    slow.socket.write(letter)
  }
  await new Promise((resolve) => setTimeout(resolve, 200))
  finish()
  await closed
  expect(await worked.ended).toContain('done')
  expect(await slow.ended).toMatch(/ 200 | 415 /)
})

test('waits for nothing after its time limit', async () => {
  const { send, close, isWorking } = await aServer(300)
  await send('GET /work HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(isWorking, { interval: 5 }).toBe(true)
  await close()
})
