import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { SECOND } from '#contract/platform/durations.ts'

type Limits = {
  /** Milliseconds that a request or response may stall. */
  stall: number
  /** Milliseconds after which everything open is closed. */
  within: number
}

const every = SECOND / 10

/**
 * Tracks the connections of a server, so that shutdown waits only for those that progress or have running work.
 */
export function watchOpenRequests(
  app: FastifyInstance,
  { stall, within }: Limits = { stall: 2 * SECOND, within: 10 * SECOND },
) {
  const sockets = new Set<Socket>()
  /** By connection: whether the program is working on it, that is, a complete request without a response. */
  const works = new Map<Socket, () => boolean>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    // An internal call has no connection.
    if (!(socket instanceof Socket)) return done()
    const isWorking = () => request.raw.complete && !reply.raw.headersSent
    works.set(socket, isWorking)
    reply.raw.once('close', () => works.get(socket) === isWorking && works.delete(socket))
    done()
  })

  function endThoseThatStall(seen: Map<Socket, { moved: number; since: number }>): void {
    for (const socket of sockets) {
      const moved = socket.bytesRead + socket.bytesWritten
      const last = seen.get(socket)
      if (last?.moved !== moved || works.get(socket)?.())
        seen.set(socket, { moved, since: performance.now() })
      else if (performance.now() - last.since >= stall) socket.destroy()
    }
  }

  return {
    /** Resolves once nothing is open. */
    async endStalled(): Promise<void> {
      const begun = performance.now()
      const seen = new Map<Socket, { moved: number; since: number }>()
      while (sockets.size > 0 && performance.now() - begun < within) {
        endThoseThatStall(seen)
        await pause(every)
      }
      for (const socket of sockets) socket.destroy()
    },
  }
}
