import type { api } from '#contract/api.ts'
import type { ConsoleMember } from '#contract/console-members.ts'
import { HOUR } from '#contract/durations.ts'
import type { KycState } from '#contract/kyc.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import type { Config } from '../../config.ts'
import { eachPage } from '../../db/each-page.ts'
import { csvDownload, type CsvColumns } from '../../http/csv-download.ts'
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

const pageSize = 500

/** Of the rights those that were granted, whether they count yet or not. */
const columns: CsvColumns<ConsoleMember & { granted: ReturnType<typeof rightsOf> }> = [
  ['id', ({ id }) => id],
  ['email', ({ email }) => email],
  ['name', ({ name }) => name],
  ['state', ({ active, isClosed }) => (active ? 'active' : isClosed ? 'deactivated' : 'not activated')],
  [
    'rights',
    ({ granted }) =>
      Object.entries(granted)
        .flatMap(([right, level]) =>
          level === true ? [right] : level === false || level === 0 ? [] : [`${right} ${level}`],
        )
        .join('; '),
  ],
  ['identity', ({ kyc }) => kyc],
  ['second factor', ({ hasFactor }) => (hasFactor ? 'yes' : 'no')],
  ['joined', ({ memberSince }) => memberSince],
  ['last sign-in', ({ lastSignIn }) => lastSignIn ?? ''],
]

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
  const rows = eachPage((after) => listSummaries(db, query, { limit: pageSize, after }))
  return csvDownload('members', columns, rows, (row) => ({
    ...presentListed(row, config),
    granted: rightsOf(row),
  }))
}
