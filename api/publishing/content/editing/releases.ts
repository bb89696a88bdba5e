import { isDeepStrictEqual } from 'node:util'
import type { LegalDocument } from '#contract/people/consents.ts'
import type {
  ContentRelease,
  EndCause,
  ReleaseState,
  SensitiveKind,
} from '#contract/publishing/console-content.ts'
import { levelOf } from '#contract/people/level-of.ts'
import type { auditActionsOf } from '#contract/platform/audit-actions.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import { readContentPolicy, type ContentPolicy } from '../../../people/four-eyes/read-policy.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { findApprover, type ApproverRule } from '../../../people/members/approver.queries.ts'
import { Refused } from '../../../platform/refused.ts'
import type { Services } from '../../../platform/services.ts'
import { presentWho } from '../../../people/settings/present-version.ts'
import { freeItems, lockContent } from './content-item.queries.ts'
import { notifyAuthor } from './notify-editors.ts'
import { holdsOfficialRight, canApprove, officialChanges, type ItemChanges } from './official-changes.ts'
import { publishItems, readyToPublish, type ItemVersion, type Ready } from './publish-items.ts'
import {
  deleteOldReleases,
  endRelease,
  findWaitingRelease,
  listExpiredProposals,
  type ReleaseRow,
} from './release.queries.ts'

type ContentAction = (typeof auditActionsOf)['content'][number]
type Items = { id: string; pieces: unknown }

/** Records a step of a release in the audit log, under each of its items. */
export async function recordStep(
  db: Tx,
  { pieces }: { pieces: unknown },
  action: ContentAction,
  by: { memberId: string | null; cause?: EndCause },
): Promise<void> {
  for (const { piece } of pieces as ItemVersion[])
    await recordAudit(db, {
      actorId: by.memberId,
      action,
      subjectKind: 'content',
      subjectId: piece,
      ...(by.cause && { detail: { cause: by.cause } }),
    })
}

type Closing = {
  state: ReleaseState
  action: ContentAction
  by: string | null
  reason?: string
  cause?: EndCause
}

/** Ends a pending release without publishing it. The drafts stay, and their items can be in another release. */
export async function closeRelease(db: Tx, release: Items, { action, ...end }: Closing): Promise<void> {
  await endRelease(db, release.id, end)
  await freeItems(db, release.id)
  await recordStep(db, release, action, { memberId: end.by, ...(end.cause && { cause: end.cause }) })
}

/** Ends a pending release that can no longer be published. */
export const endReleaseItself = (
  db: Tx,
  release: Items & { state: ReleaseState },
  cause: EndCause,
): Promise<void> =>
  release.state === 'scheduled'
    ? closeRelease(db, release, { state: 'failed', action: 'content-not-published', by: null, cause })
    : closeRelease(db, release, { state: 'overtaken', action: 'content-outdated', by: null, cause })

/**
 * Before an item changes, a proposal with it ends, because its reviewed content would change. A scheduled
 * release is not undone implicitly: it must be canceled first.
 */
export async function endProposal(db: Tx, releaseId: string | null, memberId: string): Promise<void> {
  const release = releaseId === null ? undefined : await findWaitingRelease(db, releaseId)
  if (!release) return
  if (release.state === 'scheduled') throw new Refused('content_waits')
  await closeRelease(db, release, { state: 'overtaken', action: 'content-overtaken', by: memberId })
}

/** Ends expired proposals, and deletes releases that ended long ago. */
export async function expireProposals(
  services: Pick<Services, 'db' | 'keys' | 'config' | 'content'>,
): Promise<void> {
  await transaction(services.db, async (db) => {
    await lockContent(db)
    for (const proposal of await listExpiredProposals(db)) {
      await closeRelease(db, proposal, { state: 'expired', action: 'content-expired', by: null })
      await notifyAuthor(db, services, proposal, 'expired')
    }
  })
  await deleteOldReleases(services.db)
}

/** Publishes a release that was proposed or scheduled. `approver` is the member who does so now, if any. */
export async function publishRelease(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  release: ReleaseRow,
  { ready, approver }: { ready: Ready; approver: string | null },
): Promise<void> {
  await endRelease(db, release.id, { state: 'published', by: approver, confirmedBy: approver })
  await publishItems(db, services, ready, {
    by: release.proposed_by,
    confirmedBy: approver ?? release.confirmed_by,
    newVersions: release.new_versions as LegalDocument[],
  })
}

/** Whether a second approval is required by the current setting. */
export const needsSecondApproval = (
  { contentFourEyes }: ContentPolicy,
  { sensitive }: Pick<Ready, 'sensitive'>,
  newVersions: readonly string[],
): boolean =>
  sensitive.some((kind) => contentFourEyes.has(kind)) ||
  (newVersions.length > 0 && contentFourEyes.has('legal'))

/** Whether someone still has the right to publish, because a proposer may have lost it. */
export const mayPublish = async (db: Tx, rule: ApproverRule, memberId: string): Promise<boolean> =>
  (await findApprover(db, rule, 'news', memberId)) !== undefined

/** Whether publishing it now has exactly the reviewed effect. */
export const isAsReviewed = ({ changes }: ReleaseRow, ready: Ready): boolean =>
  isDeepStrictEqual(changes, ready.changes)

/** A due release, ready to be published, or why it must not be. */
export async function readyAtItsTime(
  db: Tx,
  { config, keys }: Pick<Services, 'config' | 'keys'>,
  release: ReleaseRow,
): Promise<{ ready: Ready } | { cause: EndCause }> {
  const { proposed_by, confirmed_by, new_versions } = release
  if (!(await mayPublish(db, config, proposed_by))) return { cause: 'author' }
  if (confirmed_by !== null && !(await mayPublish(db, config, confirmed_by))) return { cause: 'second' }
  try {
    const ready = await readyToPublish(db, keys, release.pieces as ItemVersion[])
    if (!isAsReviewed(release, ready)) return { cause: 'changed' }
    const policy = await readContentPolicy(db, config)
    if (confirmed_by === null && needsSecondApproval(policy, ready, new_versions))
      return { cause: 'takes_two' }
    if (ready.changesOfficial && !(await holdsOfficialRight(db, config, [proposed_by, confirmed_by])))
      return { cause: 'official' }
    return { ready }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { cause: error.code === 'content_broken' ? 'broken' : 'changed' }
  }
}

export async function presentRelease(
  db: Tx,
  rule: ApproverRule,
  row: ReleaseRow,
  { memberId, rights }: Caller,
): Promise<ContentRelease> {
  const isAssignedToOther =
    row.state === 'proposed' && row.proposed_by !== memberId && levelOf(rights, 'news') >= 2
  return {
    id: row.id,
    state: row.state,
    pieces: (row.pieces as ItemVersion[]).map(({ piece }) => piece),
    publishAt: row.publish_at?.toISOString() ?? null,
    zone: row.publish_zone,
    by: presentWho(row.proposed_by, row.author_name),
    at: row.proposed_at.toISOString(),
    confirmedBy: presentWho(row.confirmed_by, row.second_name),
    newVersions: row.new_versions as LegalDocument[],
    sensitive: row.sensitive as SensitiveKind[],
    changesOfficial: officialChanges(row.changes as unknown as ItemChanges[]).length > 0,
    changes: row.changes as ContentRelease['changes'],
    mayConfirm: isAssignedToOther && (await canApprove(db, rule, row, memberId)),
    ended: row.ended_at && {
      at: row.ended_at.toISOString(),
      by: presentWho(row.ended_by, row.ender_name),
      reason: row.reason,
      cause: row.cause as EndCause | null,
    },
  }
}
