import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { listenToChanges } from './changes.ts'

/** A way to the database that can fall silent without ending. */
async function aWayTo(url: string) {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  const way = { isSilent: false }
  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname)
    sockets.push(inner, outer)
    inner.on('data', (bytes) => way.isSilent || outer.write(bytes))
    outer.on('data', (bytes) => way.isSilent || inner.write(bytes))
    inner.on('error', () => {}).on('close', () => outer.destroy())
    outer.on('error', () => {}).on('close', () => inner.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })
  const through = new URL(url)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { way, url: through.href }
}

test('a connection that stands, but tells nothing any more, is not listened to; one that tells again is', async () => {
  const database = await copyTemplate()
  onTestFinished(() => dropDatabase(database))
  const { way, url } = await aWayTo(database)
  const changes = listenToChanges(url, 200)
  onTestFinished(() => changes.close())
  let isListening = false
  changes.onListening((next) => (isListening = next))
  await expect.poll(() => isListening).toBe(true)
  way.isSilent = true
  await expect.poll(() => isListening).toBe(false)
  way.isSilent = false
  await expect.poll(() => isListening).toBe(true)
})
