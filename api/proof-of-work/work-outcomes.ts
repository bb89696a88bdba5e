import type { EndpointName } from '#contract/api.ts'
import type { Database } from '../db/database.ts'
import { makeSignal } from '../signal.ts'

/** For the metrics. `refused`: what came as a solution was none, or none any more. */
export type WorkOutcome = { db: Database; call: EndpointName; outcome: 'asked' | 'solved' | 'refused' }
export const workOutcomes = makeSignal<WorkOutcome>()
