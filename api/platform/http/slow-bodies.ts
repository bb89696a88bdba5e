import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SECOND } from '#contract/platform/durations.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler checks how fast the body arrives. */
    hasOwnPace?: boolean
  }
}

type Limits = {
  /** Milliseconds from the headers to the last byte of the body. */
  within: number
  /** Milliseconds for which the rest of an already answered body is discarded. */
  linger: number
}

/**
 * Ends requests whose body does not arrive, because each holds a connection. An already answered one is closed
 * a little later, because closing a connection while the client sends would lose the answer.
 */
export function endSlowBodies(
  app: FastifyInstance,
  { within, linger }: Limits = { within: 30 * SECOND, linger: 5 * SECOND },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const { socket } = raw
    // An internal call has no connection.
    if (!(socket instanceof Socket)) return done()
    const isHere = () => raw.complete || socket.destroyed
    const timer = request.routeOptions.config.hasOwnPace
      ? undefined
      : setTimeout(() => {
          if (!isHere()) app.server.emit('clientError', timedOut(), socket)
        }, within).unref()
    reply.raw.once('close', () => clearTimeout(timer))
    reply.raw.once('finish', () => {
      if (!isHere()) setTimeout(() => isHere() || socket.destroy(), linger).unref()
    })
    done()
  })
}

/** Node's own error, which Fastify answers with 408. */
const timedOut = (): Error =>
  Object.assign(new Error('the request body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
