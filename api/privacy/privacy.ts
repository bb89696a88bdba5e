import type { Noun } from '../module.ts'
import { makeErasure } from './erase-member.ts'
import { makeExport } from './export-member.ts'

/** Members' rights over their data: export, and erasure with its preview. Iterates over what the modules declare. */
export const privacy = (nouns: readonly Noun[]) =>
  ({ calls: { exportMember: makeExport(nouns), ...makeErasure(nouns) } }) satisfies Noun
