import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SECOND } from '#contract/durations.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its handler watches how fast the body comes. */
    hasOwnPace?: boolean
  }
}

type Limits = {
  /** From the headers to the last byte of the body. */
  within: number
  /** How long the rest of a body is thrown away that was answered before it was here. */
  linger: number
}

/**
 * Ends requests whose body does not come: each holds a connection. One that is answered already is cut off a little later, because
 * a connection that is closed while the client sends takes the answer with it.
 */
export function endSlowBodies(
  app: FastifyInstance,
  { within, linger }: Limits = { within: 30 * SECOND, linger: 5 * SECOND },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const { socket } = raw
    // A call of the program itself has no connection.
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

/** As Node says it, which Fastify answers with 408. */
const timedOut = (): Error =>
  Object.assign(new Error('the body takes too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
