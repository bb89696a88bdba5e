import type { Noun } from '../noun.ts'
import { makeErasure } from './erase-member.ts'
import { makeExport } from './export-member.ts'

/** The rights of a member over their data: the export, and the erasure that is foretold. Loops over what the nouns state. */
export const privacy = (nouns: readonly Noun[]) =>
  ({ calls: { exportMember: makeExport(nouns), ...makeErasure(nouns) } }) satisfies Noun
