import type { Noun } from '../noun.ts'
import { checkHealth } from './check-health.ts'

/** That the process lives, for operators. */
export const operations = { calls: { checkHealth } } satisfies Noun
