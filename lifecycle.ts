import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { SECOND } from '#contract/platform/durations.ts'
import { say } from '#api/platform/operations/print-message.ts'
import { watchOpenRequests } from '#api/platform/http/open-requests.ts'

type Close = () => unknown

/**
 * Time limit for the whole shutdown, after which the process exits. Service managers should wait longer before they
 * kill it.
 */
const stopTimeMax = 60 * SECOND
/** Default time limit for closing one resource. The embedded database has a longer one of its own. */
const closeTimeMax = 5 * SECOND
/** How long proxies get to notice that the readiness check fails. */
const drainDefault = SECOND

/** Thrown when the startup is aborted because the process is shutting down. */
class Stopped extends Error {}

/**
 * Closes resources in the reverse order of opening, including those of an interrupted startup. On SIGTERM, SIGINT, and
 * SIGHUP, the readiness check fails; one second later, open requests are completed as long as they make progress, and
 * everything is closed.
 */
export function makeLifecycle(app: FastifyInstance, { drain = drainDefault } = {}) {
  const lifecycle = { isStopping: false }
  const closers: { close: Close; within: number }[] = []
  const requests = watchOpenRequests(app)
  let starting: Promise<unknown> = Promise.resolve()
  let isToBeginAgain = false

  /** Registers a resource. If a shutdown has already begun, throws; `close` is then called by the shutdown. */
  const opened = (close: Close, within = closeTimeMax): void => {
    closers.push({ close, within })
    if (lifecycle.isStopping) throw new Stopped()
  }
  const closeAll = async () => {
    // A resource that hangs or fails must not keep the others open, least of all the embedded database.
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
  // The handlers stay registered, because Ctrl+C sends one signal from the terminal and another from npm, and the
  // second one must not cut the shutdown short.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void now(undefined, signal))
  // Messages come from a parent process such as `scripts/dev.ts`, which requests a restart or has exited.
  process.on('message', (word) => {
    isToBeginAgain = word === 'again'
    void now()
  })
  process.on('disconnect', () => void now())
  // The parent may have exited before this listener was added.
  if ('connected' in process && !process.connected) void now()
  return {
    /**
     * Whether the next process takes over immediately, so that resources such as the embedded database keep running.
     */
    isToBeginAgain: () => isToBeginAgain,
    lifecycle,
    opened,
    now,
    closeServer: () => Promise.all([requests.endStalled(), app.close()]),
    /** Runs the startup. An error caused by a shutdown in the meantime is ignored. */
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
