import type { Noun } from '../module.ts'
import { makeErasure } from './erase-member.ts'
import { makeExport } from './export-member.ts'

/** A member's rights over their data: export, erasure and its preview. Loops over what the nouns declare. */
export const privacy = (nouns: readonly Noun[]) =>
  ({ calls: { exportMember: makeExport(nouns), ...makeErasure(nouns) } }) satisfies Noun
