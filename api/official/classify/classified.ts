import type { PastedKind } from '#contract/official.ts'
import type { Sign } from './clean-text.ts'
import type { Ours } from './official-channel.ts'

/** Result for one pasted part, before its `keys` are looked up among the impersonation entries. */
export type Judged = {
  kind: PastedKind
  leadsTo: string | null
  official: Ours | null
  signs: Sign[]
  keys: string[]
}
