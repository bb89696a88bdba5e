import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { SECOND } from '#contract/durations.ts'
import { say } from '#api/operations/print-message.ts'
import { watchOpenRequests } from '#api/http/open-requests.ts'

type Close = () => unknown

/** Of the whole stop, beyond which nothing is waited for. Service managers should wait longer before they kill. */
const stopTimeMax = 60 * SECOND
/** Of one thing that is closed; the embedded database has its own, and is waited for. */
const closeTimeMax = 5 * SECOND
/** How long proxies take to see that readiness fails. */
const drainDefault = SECOND

/** A start that is over because the program stops. */
class Stopped extends Error {}

/**
 * What was opened is closed in the reverse order, also what a start opens that is interrupted. On SIGTERM, SIGINT and SIGHUP
 * readiness fails; a second later open requests are finished, as long as they move, and everything is closed.
 */
export function makeLifecycle(app: FastifyInstance, { drain = drainDefault } = {}) {
  const lifecycle = { isStopping: false }
  const closers: { close: Close; within: number }[] = []
  const requests = watchOpenRequests(app)
  let starting: Promise<unknown> = Promise.resolve()
  let isToBeginAgain = false

  /** Throws where the program stops already: what is closed by `close` is closed then. */
  const opened = (close: Close, within = closeTimeMax): void => {
    closers.push({ close, within })
    if (lifecycle.isStopping) throw new Stopped()
  }
  const closeAll = async () => {
    // One that hangs or fails must not leave the others open, least of all the embedded database.
    for (let last = closers.pop(); last; last = closers.pop()) {
      const { close, within } = last
      const closed = Promise.resolve().then(close)
      await Promise.race([closed.catch(() => {}), pause(within, undefined, { ref: false })])
    }
  }
  const now = async (sentence?: string, signal?: NodeJS.Signals) => {
    if (lifecycle.isStopping) return
    lifecycle.isStopping = true
    if (sentence) say('crashed', sentence)
    else app.log.info({ reason: signal ?? 'closed' }, 'stopping')
    setTimeout(() => process.exit(1), stopTimeMax).unref()
    if (app.server.listening && !sentence) await pause(drain)
    await closeAll()
    await starting
    await closeAll()
    if (!sentence) app.log.info('stopped')
    process.exit(sentence ? 1 : 0)
  }
  app.addHook('onSend', async (_request, reply) => {
    if (lifecycle.isStopping) void reply.header('connection', 'close')
  })
  // Again and again: on Ctrl-C the terminal sends one signal and npm another, and a second one must not cut the first short.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void now(undefined, signal))
  // Of who began it by a channel, as `scripts/dev.ts` does: begins it again, or is gone.
  process.on('message', (word) => {
    isToBeginAgain = word === 'again'
    void now()
  })
  process.on('disconnect', () => void now())
  // Gone before anybody listened.
  if ('connected' in process && !process.connected) void now()
  return {
    /** Whether the next process takes over at once what goes on without this one. */
    isToBeginAgain: () => isToBeginAgain,
    lifecycle,
    opened,
    now,
    closeServer: () => Promise.all([requests.endStalled(), app.close()]),
    /** Runs the start. What it fails with because everything is being closed under it is no mistake. */
    async while(start: () => Promise<void>): Promise<void> {
      const begun = start()
      starting = begun.catch(() => {})
      try {
        await begun
      } catch (error) {
        if (lifecycle.isStopping) return
        await closeAll()
        throw error
      }
    },
  }
}
