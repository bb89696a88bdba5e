import type { RefusedBefore } from '../fingerprint.queries.ts'

const telling: readonly RefusedBefore['kinds'][number][] = [
  'document',
  'ethAddress',
  'btcAddress',
  'email',
  'nameAndBirth',
]

/** Whether it is taken for the same person. A name may be somebody else's, but without a date of birth it is all there is. */
export const isTelling = ({ kinds, lacks_birth }: RefusedBefore): boolean =>
  kinds.some((kind) => telling.includes(kind)) || (lacks_birth && kinds.includes('name'))

/**
 * The refusals against which an approval takes a second officer. Where two decided, one alone does not undo it, whatever the settings say
 * by now; nor what one officer proposed, because its applicant has deleted it since.
 */
export const refusalsAgainst = (
  refusals: readonly RefusedBefore[],
  { isFourEyesRequired }: { isFourEyesRequired: boolean },
): RefusedBefore[] =>
  refusals.filter(
    (refusal) => (!refusal.is_final || refusal.took_two || isFourEyesRequired) && isTelling(refusal),
  )

/** What two decided, two others undo: neither voice is one of theirs. */
export const isDecidedBy = (refusals: readonly RefusedBefore[], officerId: string | null): boolean =>
  refusals.some(({ deciders }) => officerId !== null && deciders.includes(officerId))
