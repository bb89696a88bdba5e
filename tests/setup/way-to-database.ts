import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

type Way = {
  /** Whether data is dropped silently while connections stay open. */
  isSilent: boolean
  /** Clients that connect get this server message, depending on what they send first. */
  refuse?: (start: string) => { code: string; message: string } | undefined
  /** A client that sends this text is disconnected. */
  cutAt?: string
  connections: number
}

/**
 * A TCP proxy to the database that can fall silent without closing connections, or reject clients like a server or a
 * pooler.
 */
export async function aWayTo(url: string): Promise<{ way: Way; url: string }> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  const way: Way = { isSilent: false, connections: 0 }
  const server = createServer((inner) => {
    way.connections += 1
    const outer = connect(Number(port), hostname)
    sockets.push(inner, outer)
    inner.once('data', (start) => {
      const refusal = way.refuse?.(start.toString('latin1'))
      if (refusal) return inner.end(errorResponse(refusal))
      inner.on('data', (bytes) => {
        if (way.cutAt && bytes.includes(way.cutAt)) return inner.destroy()
        return way.isSilent || outer.write(bytes)
      })
      return way.isSilent || outer.write(start)
    })
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

/** In the protocol's format: a type, a length, and null-terminated fields. */
function errorResponse({ code, message }: { code: string; message: string }): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
