import type { api } from '#contract/api.ts'
import {
  type KycCaseDetail,
  type KycReason,
  applicantEntries,
  kycCases,
} from '#contract/people/kyc-review.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { serveResource } from '../../../platform/resource/serve-resource.ts'
import { openStates } from '../kyc.rules.ts'
import { listEarlierRejections, sharesWithOwnRejection } from '../fingerprint.queries.ts'
import { listKycPhotos } from '../kyc-photo.queries.ts'
import { findAnyCase, findUsualHours, type KycRow } from '../kyc.queries.ts'
import { presentNotes } from '../../notes/present-notes.ts'
import { readHistory } from '../read-history.ts'
import { screenCase } from '../screening/screen-case.ts'
import { isDecidedBy, rejectionsAgainst } from './decide.ts'
import {
  countCases,
  findCase,
  findDuplicates,
  listCases,
  listDuplicated,
  listStepsWithNames,
} from './case.queries.ts'
import { presentCase } from './present-case.ts'
import { readKycPolicy } from '../../four-eyes/read-policy.ts'
import { requireOthersCase } from './require-own-case.ts'
import { cancelExpiredApprovals } from './case-approval.queries.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isRecord } from '../../../platform/is-record.ts'

export const { list: listKycCases } = serveResource(kycCases, {
  read: ({ db, caller: { memberId } }, { status, assignee, q, olderThanHours, flag }, page) => {
    const filter = {
      states: status === 'waiting' ? openStates : status && [status],
      assigneeId: assignee === 'me' ? memberId : assignee ? null : undefined,
      notProposedBy: assignee === 'available' ? memberId : undefined,
      words: q,
      olderThanHours,
      flag,
      exceptOf: memberId,
    }
    return listCases(db, filter, page)
  },
  present: async ({ db }, rows) => {
    const ids = rows.map(({ id }) => id)
    const duplicated = await listDuplicated(db, ids)
    const refused = new Set(
      (await listEarlierRejections(db, ids)).map(({ application_id }) => application_id),
    )
    return rows.map((row) =>
      presentCase(row, { hasDuplicates: duplicated.has(row.id), hasRefusal: refused.has(row.id) }),
    )
  },
})

export const readKycStatistics: Handler<typeof api.readKycStatistics> = async (_, { db }) => {
  const { byStatus, decided, medianHours } = await countCases(db)
  const of = (status: string) => byStatus.find((each) => each.status === status)
  const decidedAs = (status: string) => decided.find((each) => each.status === status)?.count ?? 0
  const waiting = [of('submitted'), of('in_review')].flatMap((each) =>
    each?.oldest == null ? [] : [each.oldest],
  )
  return {
    waiting: {
      submitted: of('submitted')?.waiting ?? 0,
      in_review: of('in_review')?.waiting ?? 0,
      more_info: of('more_info')?.waiting ?? 0,
    },
    oldestHours: waiting.length > 0 ? Math.floor(Math.max(...waiting)) : null,
    decided: {
      approved: decidedAs('approved'),
      rejected: decidedAs('rejected'),
      expired: decidedAs('expired'),
      withdrawn: decidedAs('withdrawn'),
    },
    medianHours: medianHours === null ? null : Math.round(medianHours * 10) / 10,
    usualHours: await findUsualHours(db),
  }
}

/** The view is audited before the case is sent. */
export const getKycCase: Handler<typeof api.getKycCase> = async ({ params }, context) => {
  const { db, caller } = context
  const row = await findAnyCase(db, params.id)
  if (!row) throw new Refused('not_found')
  requireOthersCase(row, caller.memberId)
  await recordAudit(db, {
    actorId: caller.memberId,
    action: 'kyc-viewed',
    subjectKind: 'kyc',
    subjectId: params.id,
  })
  return readCase(params.id, context)
}

export async function readCase(id: string, context: MemberContext): Promise<KycCaseDetail> {
  const { db, config, caller } = context
  await cancelExpiredApprovals(db, config, id)
  const known = await findCase(db, id)
  if (!known) throw new Refused('not_found')
  const screening = await screenCase(db, context, known)
  // New matches clear the mark that the screening was read.
  const row = await findCase(db, id)
  if (!row) throw new Refused('not_found')
  const duplicates = await findDuplicates(db, row)
  const refusals = await listEarlierRejections(db, [id])
  const policy = await readKycPolicy(db, config, row.member_id)
  const against = rejectionsAgainst(refusals, policy)
  // Another member's case must not tell officers the status of their own application.
  const isOfOthers = ({ member_id }: { member_id: string }) => member_id !== caller.memberId
  return {
    ...presentCase(row, { hasDuplicates: duplicates.length > 0, hasRefusal: refusals.length > 0 }),
    notes: await presentNotes(db, caller, { kind: 'kyc', id }),
    photos: (await listKycPhotos(db, row.id)).map(presentPhoto),
    history: await readHistory(db, row),
    duplicates: duplicates.filter(isOfOthers).map((other) => ({
      id: other.id,
      name: other.full_name,
      memberId: other.member_id,
      status: other.status,
      createdAt: other.created_at.toISOString(),
      why: [
        ...(other.by_document ? (['document'] as const) : []),
        ...(other.by_eth ? (['ethAddress'] as const) : []),
        ...(other.by_btc ? (['btcAddress'] as const) : []),
        ...(other.by_email ? (['email'] as const) : []),
      ],
    })),
    screening,
    refusals: refusals.filter(isOfOthers).map((other) => ({
      id: other.id,
      at: other.at.toISOString(),
      isFinal: other.is_final,
      why: other.kinds,
    })),
    rounds: await readRounds(db, row),
    memberLanguage: row.member_language,
    approvalTakesTwo: against.length > 0,
    isApprovalBarred: isDecidedBy(against, caller.memberId),
    isBarred: await sharesWithOwnRejection(db, caller.memberId, id),
    ...policy,
  }
}

export const listKycReasons: Handler<typeof api.listKycReasons> = async (_, { content }) =>
  // Content rules have already validated it.
  content.facts('facts/review-reasons.json') as KycReason[]

type PhotoRow = Awaited<ReturnType<typeof listKycPhotos>>[number]

export const presentPhoto = (row: PhotoRow): KycCaseDetail['photos'][number] => ({
  n: row.n,
  bytes: row.bytes,
  verdict: row.verdict as KycCaseDetail['photos'][number]['verdict'],
  reason: row.reason,
  note: row.note,
  round: row.round,
  isReplaced: row.replaced_in_round !== null,
})

type Round = KycCaseDetail['rounds'][number]

/** Returns the submissions of a case from its steps: each request ends one, each answer starts one. */
async function readRounds(db: Tx, row: KycRow): Promise<Round[]> {
  const rounds: Round[] = [{ handedInAt: row.created_at.toISOString(), asked: null, earlier: [] }]
  for (const step of await listStepsWithNames(db, row.id)) {
    const round = rounds.at(-1)!
    if (step.to_status === 'more_info')
      round.asked = { at: step.at.toISOString(), by: step.by_name ?? '', reason: step.reason }
    if (step.to_status !== 'submitted') continue
    const { earlier } = step
    if (isRecord(earlier))
      round.earlier = applicantEntries.flatMap((field) => {
        const value = earlier[field]
        return typeof value === 'string' ? [{ field, value }] : []
      })
    rounds.push({ handedInAt: step.at.toISOString(), asked: null, earlier: [] })
  }
  return rounds
}
