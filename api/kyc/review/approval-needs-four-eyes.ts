import type { EarlierRejection } from '../fingerprint.queries.ts'

const telling: readonly EarlierRejection['kinds'][number][] = [
  'document',
  'ethAddress',
  'btcAddress',
  'email',
  'nameAndBirth',
]

/**
 * Whether the evidence identifies the same person. A name can belong to someone else, but without a date of
 * birth there is nothing better.
 */
export const isWorthShowing = ({ kinds, lacks_birth }: EarlierRejection): boolean =>
  kinds.some((kind) => telling.includes(kind)) || (lacks_birth && kinds.includes('name'))

/**
 * Final refusals that make an approval require a second officer. A decision by two can't be undone by one,
 * whatever the settings are now, nor can a proposal whose applicant deleted the application.
 */
export const rejectionsAgainst = (
  refusals: readonly EarlierRejection[],
  { isFourEyesRequired }: { isFourEyesRequired: boolean },
): EarlierRejection[] =>
  refusals.filter(
    (refusal) => (!refusal.is_final || refusal.took_two || isFourEyesRequired) && isWorthShowing(refusal),
  )

/** A decision by two must be undone by two others. */
export const isDecidedBy = (refusals: readonly EarlierRejection[], officerId: string | null): boolean =>
  refusals.some(({ deciders }) => officerId !== null && deciders.includes(officerId))
