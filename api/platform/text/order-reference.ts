import brand from '#content/brand.json' with { type: 'json' }

/** Formats a reference, for example `ABC-1A2B3-C4D5E`: in two halves, so that it can be read aloud. */
export const shownReference = (reference: string): string =>
  `${brand.ticker}-${reference.slice(0, 5)}-${reference.slice(5)}`

/** Returns the ten stored digits of a reference, given as displayed or as stored; undefined for anything else. */
export function readReference(text: string): string | undefined {
  const digits = withoutTicker(text).replace('-', '')
  return /^[\dA-F]{10}$/.test(digits) ? digits : undefined
}

/** Converts `ABC-1A2B3-C4D5E` or a prefix of it, with or without the ticker, to the stored hexadecimal digits. */
export const beginningOf = (q: string): string | undefined => digitsIn(withoutTicker(q))

export function withoutTicker(q: string): string {
  const text = q.trim().toUpperCase()
  const prefix = `${brand.ticker.toUpperCase()}-`
  return text.startsWith(prefix) ? text.slice(prefix.length) : text
}

export function digitsIn(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '')
  return /^[\dA-F]{1,10}$/.test(digits) ? digits : undefined
}
