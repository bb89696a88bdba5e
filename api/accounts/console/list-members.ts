import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import type { ConsoleMember, MemberFilters } from '#contract/console-members.ts'
import { HOUR } from '#contract/durations.ts'
import type { KycState } from '#contract/kyc.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import type { Config } from '../../config.ts'
import { csvLine, csvStart } from '#contract/csv.ts'
import { eachPage } from '../../db/each-page.ts'
import type { Database } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { countingRightsOf, rightsOf, waitingRightsOf } from '../../members/rights.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { listSummaries, type ListedMember } from './member-list.queries.ts'

export const listConsoleMembers: Handler<typeof api.listConsoleMembers> = async (
  { query },
  { db, config, answer },
) => {
  const { limit, after, ...filters } = query
  const page = await listSummaries(db, filters, { limit, after })
  answer.setNext(page.next)
  return page.rows.map((row) => presentListed(row, config))
}

type Shown = Omit<ListedMember, 'kyc_state'> & { kyc_state: string | null }

export function presentListed(row: Shown, { isStaffSecondFactorRequired }: Config): ConsoleMember {
  const waitingRights = waitingRightsOf(row, isStaffSecondFactorRequired && !row.has_factor)
  return {
    id: row.id,
    email: row.email,
    name: row.display_name || `${row.first_name} ${row.last_name}`.trim(),
    active: row.active,
    isClosed: row.closed_at !== null,
    ...countingRightsOf(row),
    ...(waitingRights && { waitingRights }),
    kyc: (row.kyc_state as KycState | null) ?? 'none',
    hasFactor: row.has_factor,
    memberSince: row.joined_at.toISOString(),
    lastSignIn: row.last_sign_in_at.getTime() > 0 ? row.last_sign_in_at.toISOString() : null,
  }
}

/** Written down before the first row is sent, which cannot be taken back. */
export const exportConsoleMembers: Handler<typeof api.exportConsoleMembers> = async (
  { query },
  { db, keys, config, caller },
) => {
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [{ key: `members file ${caller.memberId}`, max: 20, window: HOUR }])
  await recordAudit(db, {
    actorId: caller.memberId,
    action: 'members-exported',
    subjectKind: 'member',
    subjectId: null,
  })
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: `members-${new Date().toISOString().slice(0, 10)}.csv`,
    stream: Readable.from(linesOf(db, query, config)),
  }
}

const pageSize = 500

async function* linesOf(db: Database, filters: MemberFilters, config: Config) {
  yield (
    csvStart +
      csvLine([
        'id',
        'email',
        'name',
        'state',
        'rights',
        'identity',
        'second factor',
        'joined',
        'last sign-in',
      ])
  )
  const rows = eachPage((after) => listSummaries(db, filters, { limit: pageSize, after }))
  for await (const row of rows) {
    const { id, email, name, kyc, hasFactor, memberSince, lastSignIn } = presentListed(row, config)
    const state = row.active ? 'active' : row.closed_at ? 'deactivated' : 'not activated'
    const rights = Object.entries(rightsOf(row)).flatMap(([right, level]) =>
      level === true ? [right] : level === false || level === 0 ? [] : [`${right} ${level}`],
    )
    yield csvLine([
      id,
      email,
      name,
      state,
      rights.join('; '),
      kyc,
      hasFactor ? 'yes' : 'no',
      memberSince,
      lastSignIn ?? '',
    ])
  }
}
