import { officialBrandParts } from '#contract/official.ts'
import type { Language } from '#contract/languages.ts'
import type { SettingChange } from '#contract/settings.ts'
import type { Tx } from '../../db/database.ts'
import { describeChanges } from '../../describe-changes.ts'
import { findApprover, type ApproverRule } from '../../members/approver.queries.ts'
import { kindOf } from './piece.ts'
import type { PieceChanges } from './release.queries.ts'

const ofBrand = new RegExp(String.raw`^(${officialBrandParts.join('|')})(\.|$)`)
/** Of a document, its address and what the list calls it. A new edition of the same document changes neither. */
const ofDocument = /^[a-z]+\.(file|title)$/

/** What of these changes is on the official list, which `official/read-ours.ts` makes. */
export const officialChanges = (pieces: readonly PieceChanges[]): SettingChange[] =>
  pieces.flatMap(({ piece, changes }) => {
    if (piece === 'brand.json') return changes.filter(({ path }) => ofBrand.test(path))
    return kindOf(piece) === 'document' ? changes.filter(({ path }) => ofDocument.test(path)) : []
  })

/** For the email about them, in the language of each reader. */
export const describeOfficialChanges =
  (changes: readonly SettingChange[]) =>
  (language: Language): string =>
    describeChanges(
      changes.map(({ path, from, to }) => ({ name: path, from, to })),
      language,
    )

/**
 * Whether one of them holds the right that changing the official list takes. Everybody who asks believes what that list
 * says, so it is never enough to be an editor, whatever the settings ask of other content.
 */
export async function holdsOfficialRight(
  db: Tx,
  rule: ApproverRule,
  memberIds: readonly (string | null)[],
): Promise<boolean> {
  for (const id of memberIds)
    if (id !== null && (await findApprover(db, rule, 'coins', id)) !== undefined) return true
  return false
}
