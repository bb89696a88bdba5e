import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Node asks the system for a peer's address when it is first read, and keeps it. A connection that is cut has none, so it is read
 * at once; one that is cut already has nobody to answer.
 */
export function rememberPeers(server: Server): void {
  server.prependListener('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy()
  })
}
