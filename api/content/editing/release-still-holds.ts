import { isDeepStrictEqual } from 'node:util'
import type { EndCause } from '#contract/console-content.ts'
import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import { readContentPolicy, type ContentPolicy } from '../../four-eyes/read-policy.ts'
import type { Keys } from '../../keys.ts'
import { Refused } from '../../refused.ts'
import type { ApproverRule } from '../../members/approver.queries.ts'
import { holdsOfficialRight, officialChanges } from './official-parts.ts'
import { readyToPublish, type GivenPiece, type Ready } from './publish-pieces.ts'
import { mayPublish, type PieceChanges, type ReleaseRow } from './release.queries.ts'

/** Whether a second person has to confirm it, by the setting as it is now. */
export const takesTwo = (
  { contentTwoPersons }: ContentPolicy,
  { sensitive }: Pick<Ready, 'sensitive'>,
  newVersions: readonly string[],
): boolean =>
  sensitive.some((kind) => contentTwoPersons.has(kind)) ||
  (newVersions.length > 0 && contentTwoPersons.has('legal'))

/** Whether these members may publish it: what changes the official list takes the right to change that list. */
export const mayChangeOfficial = async (
  db: Tx,
  rule: ApproverRule,
  { changesOfficial }: Pick<Ready, 'changesOfficial'>,
  memberIds: readonly (string | null)[],
): Promise<boolean> => !changesOfficial || (await holdsOfficialRight(db, rule, memberIds))

/** Whether this member may be the second person, as far as the official list is concerned. */
export const mayConfirm = (
  db: Tx,
  rule: ApproverRule,
  { changes, proposed_by }: { changes: unknown; proposed_by: string },
  memberId: string,
): Promise<boolean> => {
  const changesOfficial = officialChanges(changes as PieceChanges[]).length > 0
  return mayChangeOfficial(db, rule, { changesOfficial }, [proposed_by, memberId])
}

/** Whether publishing it now changes what it was to change when it was looked at, and nothing else. */
export const isAsLookedAt = ({ changes }: ReleaseRow, ready: Ready): boolean =>
  isDeepStrictEqual(changes, ready.changes)

/** What has come to its time, ready to be published, or why it is not to be. */
export async function readyAtItsTime(
  db: Tx,
  { config, keys }: { config: Config; keys: Keys },
  release: ReleaseRow,
): Promise<{ ready: Ready } | { cause: EndCause }> {
  if (!(await mayPublish(db, config, release.proposed_by))) return { cause: 'author' }
  if (release.confirmed_by !== null && !(await mayPublish(db, config, release.confirmed_by)))
    return { cause: 'second' }
  try {
    const ready = await readyToPublish(db, keys, release.pieces as GivenPiece[])
    if (!isAsLookedAt(release, ready)) return { cause: 'changed' }
    const isAlone = release.confirmed_by === null
    const policy = await readContentPolicy(db, config)
    if (isAlone && takesTwo(policy, ready, release.new_versions)) return { cause: 'takes_two' }
    const authors = [release.proposed_by, release.confirmed_by]
    if (!(await mayChangeOfficial(db, config, ready, authors))) return { cause: 'official' }
    return { ready }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { cause: error.code === 'content_broken' ? 'broken' : 'changed' }
  }
}
