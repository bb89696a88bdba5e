import type { Noun } from '../noun.ts'
import { checkHealth, checkReadiness } from './check-health.ts'

/** What those who run the installation ask it. */
export const operations = { calls: { checkHealth, checkReadiness } } satisfies Noun
