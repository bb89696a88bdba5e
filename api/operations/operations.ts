import type { Noun } from '../noun.ts'
import { checkHealth, checkReadiness } from './check-health.ts'

/** Health checks, for operators. */
export const operations = { calls: { checkHealth, checkReadiness } } satisfies Noun
