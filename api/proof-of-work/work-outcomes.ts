import type { EndpointName } from '#contract/api.ts'
import type { Database } from '../db/database.ts'
import { makeSignal } from '../signal.ts'

/** Outcomes for the metrics. `refused`: the solution was wrong or had expired. */
type WorkOutcome = { db: Database; call: EndpointName; outcome: 'asked' | 'solved' | 'refused' }
export const workOutcomes = makeSignal<WorkOutcome>()
