/* What fields take, without the library of schemas: a form that asks for little needs no more. */

export const emailLengthMax = 254
export const passwordLengthMax = 256

export const birthDatePattern = /^[12]\d{3}-\d\d-\d\d$/

/**
 * One @, no spaces or control characters, a dot in the domain, lengths of RFC 5321. Each run of the pattern is bounded by
 * a character that it cannot match itself, so it is linear.
 */
export const emailPattern =
  /^[^\s@"(),:;<>[\\\]\p{Cc}]{1,64}@(?:[^\s@.,:;<>()[\]\p{Cc}]{1,63}\.)+[^\s@.,:;<>()[\]\p{Cc}]{2,63}$/u

/** Digits and common separators. */
export const phonePattern = /^[+\d\p{Zs}()./-]*$/u

/** Plain: no sign, no exponent. */
export const decimalPattern = /^\d{1,20}(\.\d{1,18})?$/
