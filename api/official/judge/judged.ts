import type { PastedKind } from '#contract/official.ts'
import type { Sign } from './clean-text.ts'
import type { Ours } from './ours.ts'

/** What was found out about one pasted thing, before it is looked up among the false ones by its `keys`. */
export type Judged = {
  kind: PastedKind
  leadsTo: string | null
  official: Ours | null
  signs: Sign[]
  keys: string[]
}
