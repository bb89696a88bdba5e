import type { DisplayRate } from '#contract/money/display-rates.ts'
import type { Services } from '../../platform/services.ts'

/** Returns the rates that the operator entered in the content, which has been checked. */
export const readDisplayRates = (content: Services['content']): DisplayRate[] =>
  (content.facts('facts/display-rates.json') ?? []) as DisplayRate[]
