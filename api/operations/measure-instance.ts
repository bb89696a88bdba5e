import type { FastifyInstance } from 'fastify'
import type { Changes } from '../db/changes.ts'

/** Figures of what was opened beside the API, where metrics are collected. */
export function measureInstance(
  app: FastifyInstance,
  { kept, changes }: { kept: { bytes(): number }; changes: Pick<Changes, 'onListening'> },
): void {
  let isListening = false
  changes.onListening((next) => (isListening = next))
  app.measure?.('kept_answers_bytes', 'Memory that answers take which are the same for everybody', kept.bytes)
  app.measure?.('changes_heard', 'Whether changes of other instances are heard of: 1, or 0', () =>
    isListening ? 1 : 0,
  )
}
