import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Node asks the system for a peer's address on first read and caches it. A closed connection has none, so it is
 * read at once; if it is already closed, nobody awaits an answer.
 */
export function rememberPeers(server: Server): void {
  server.prependListener('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy()
  })
}
