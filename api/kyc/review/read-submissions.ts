import { applicantEntries, type KycCaseDetail } from '#contract/kyc-review.ts'
import type { Tx } from '../../db/database.ts'
import { isRecord } from '../../is-record.ts'
import type { KycRow } from '../kyc.queries.ts'
import { listStepsWithNames } from './case.queries.ts'

type Round = KycCaseDetail['rounds'][number]

/** Returns the submissions of a case from its steps: each request ends one, each answer starts one. */
export async function readRounds(db: Tx, row: KycRow): Promise<Round[]> {
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
