import type { Database } from '../../db/database.ts'
import { makeSignal } from '../../signal.ts'

/** An attempt that ended, for the metrics. */
export const deliveryOutcomes = makeSignal<{ db: Database; outcome: 'delivered' | 'failed' }>()
