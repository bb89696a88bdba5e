import { isDeepStrictEqual } from 'node:util'
import type { EndCause } from '#contract/console-content.ts'
import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../keys.ts'
import { Refused } from '../../refused.ts'
import { readyToPublish, type GivenPiece, type Ready } from './publish-pieces.ts'
import { mayPublish, type ReleaseRow } from './release.queries.ts'

/** Whether a second person has to confirm it, by the setting as it is now. */
export const takesTwo = (
  { contentTwoPersons }: Pick<Config, 'contentTwoPersons'>,
  { sensitive }: Pick<Ready, 'sensitive'>,
  newVersions: readonly string[],
): boolean =>
  sensitive.some((kind) => contentTwoPersons.has(kind)) ||
  (newVersions.length > 0 && contentTwoPersons.has('legal'))

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
    if (isAlone && takesTwo(config, ready, release.new_versions)) return { cause: 'takes_two' }
    return { ready }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { cause: error.code === 'content_broken' ? 'broken' : 'changed' }
  }
}
