/* Field patterns that do not need the schema library, so that small forms load less. */

export const emailLengthMax = 254
export const passwordLengthMax = 256

export const birthDatePattern = /^[12]\d{3}-\d\d-\d\d$/

/**
 * One @, no spaces or control characters, a dot in the domain, and the lengths of RFC 5321. Each repeated group
 * ends at a character that it cannot match itself, so matching takes linear time.
 */
export const emailPattern =
  /^[^\s@"(),:;<>[\\\]\p{Cc}]{1,64}@(?:[^\s@.,:;<>()[\]\p{Cc}]{1,63}\.)+[^\s@.,:;<>()[\]\p{Cc}]{2,63}$/u

/** Digits and common separators. */
export const phonePattern = /^[+\d\p{Zs}()./-]*$/u

/** A plain decimal: no sign, no exponent. */
export const decimalPattern = /^\d{1,20}(\.\d{1,18})?$/

/** The maximum length of what visitors search for, in the news and on the whole site. */
export const searchLengthMax = 100

/** From 0 to 100, with up to 2 digits after the decimal point. */
export const percentPattern = /^(?:100(?:\.0{1,2})?|\d{1,2}(?:\.\d{1,2})?)$/
