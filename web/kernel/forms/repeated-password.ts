import * as z from 'zod/mini'

/** The second of two password fields, which must not be empty. `sameAs` defines which field it must match. */
export const repeated = z.string().check(z.minLength(1, 'required'))

/**
 * The rule between two fields. It is checked even while other fields are invalid; an empty repetition is already
 * `required`.
 */
export const sameAs = <First extends string, Second extends string>(first: First, second: Second) =>
  z.refine<Record<First | Second, string>>((values) => !values[second] || values[first] === values[second], {
    error: 'mismatch',
    path: [second],
    when: () => true,
  })
