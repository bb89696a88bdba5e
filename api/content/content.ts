import type { Noun } from '../noun.ts'
import { readBrand, readFacts, readWords } from './read-content.ts'

/** What the site says: words, facts and the brand. */
export const content = { calls: { readWords, readFacts, readBrand } } satisfies Noun
