import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import { listRefusedBefore, type RefusedBefore } from '../fingerprint.queries.ts'

/** A name may be somebody else's. */
const telling: readonly RefusedBefore['kinds'][number][] = ['document', 'ethAddress', 'btcAddress', 'email']

/**
 * Whether an approval takes a second officer: it would let in what was refused for good. Where two decided that, one alone does not
 * undo it, whatever the settings say by now.
 */
export async function doesApprovalTakeTwo(
  db: Tx,
  config: Pick<Config, 'isFourEyesRequired'>,
  id: string,
): Promise<boolean> {
  return isAgainstRefusal(await listRefusedBefore(db, [id]), config)
}

export const isAgainstRefusal = (
  refusals: readonly RefusedBefore[],
  { isFourEyesRequired }: Pick<Config, 'isFourEyesRequired'>,
): boolean =>
  refusals.some(
    ({ is_final, took_two, kinds }) =>
      is_final && (isFourEyesRequired || took_two) && kinds.some((kind) => telling.includes(kind)),
  )
