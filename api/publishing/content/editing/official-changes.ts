import { officialBrandParts } from '#contract/publishing/official.ts'
import type { Language } from '#contract/platform/languages.ts'
import type { SettingChange } from '#contract/people/settings.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { describeChanges } from '../../../platform/text/describe-changes.ts'
import { findApprover, type ApproverRule } from '../../../people/members/approver.queries.ts'
import { kindOf } from './content-item.ts'

export type ItemChanges = { piece: string; changes: readonly SettingChange[] }

const ofBrand = new RegExp(String.raw`^(${officialBrandParts.join('|')})(\.|$)`)
/** A document's address and its name in the list. A new edition of the same document changes neither. */
const ofDocument = /^[a-z]+\.(file|title)$/

/** The changes that affect the official list, which is built in `official/list-official-channels.ts`. */
export const officialChanges = (pieces: readonly ItemChanges[]): SettingChange[] =>
  pieces.flatMap(({ piece, changes }) => {
    if (piece === 'brand.json') return changes.filter(({ path }) => ofBrand.test(path))
    return kindOf(piece) === 'document' ? changes.filter(({ path }) => ofDocument.test(path)) : []
  })

/** For the email about them, in each reader's language. */
export const describeOfficialChanges =
  (changes: readonly SettingChange[]) =>
  (language: Language): string =>
    describeChanges(
      changes.map(({ path, from, to }) => ({ name: path, from, to })),
      language,
    )

/**
 * Whether one of them has the right to change the official list. Everyone trusts that list, so being an editor
 * is never enough, whatever the settings require for other content.
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

/** Whether the member can be the second approver: changing the official list requires the right of one of the two. */
export const canApprove = async (
  db: Tx,
  rule: ApproverRule,
  { changes, proposed_by }: { changes: unknown; proposed_by: string },
  memberId: string,
): Promise<boolean> =>
  officialChanges(changes as ItemChanges[]).length === 0 ||
  (await holdsOfficialRight(db, rule, [proposed_by, memberId]))
