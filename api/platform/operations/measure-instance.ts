import type { FastifyInstance } from 'fastify'
import type { Changes } from '../db/changes.ts'

/** Metrics of the parts opened in addition to the API, if metrics are collected. */
export function measureInstance(
  app: FastifyInstance,
  { responseCache, changes }: { responseCache: { bytes(): number }; changes: Pick<Changes, 'onListening'> },
): void {
  let isListening = false
  changes.onListening((next) => (isListening = next))
  app.measure?.('kept_answers_bytes', 'Memory used by cached responses', responseCache.bytes)
  app.measure?.('changes_heard', 'Whether this instance receives changes from other instances (1 or 0)', () =>
    isListening ? 1 : 0,
  )
}
