/** What is on a page in place of `{brand}` and the like. */
export type Filled = Readonly<Record<string, string>>

/** As a reader sees it and would type it: without tags, with what is filled in, in one case and one kind of quotes and spaces. */
export const asSeen = (text: string, filled: Filled = {}): string =>
  text
    .replaceAll(/<\/?\w+>/g, '')
    .replaceAll(/\{(\w+)\}/g, (whole, name: string) => filled[name] ?? whole)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Shorter than this, a text is in most sentences. */
const textLengthMin = 8

/**
 * How well a text fits the words that somebody looks for, both `asSeen`: the less, the better; undefined if not at all. A sentence
 * copied from a page also has what was filled in where the text has a placeholder.
 */
export function fitOf(text: string, wanted: string): number | undefined {
  if (text === wanted) return 0
  if (text.startsWith(wanted)) return 1
  if (text.includes(wanted)) return 2
  if (text.length >= textLengthMin && holdsInOrder(wanted, text)) return 3
  return undefined
}

function holdsInOrder(wanted: string, text: string): boolean {
  const parts = text.split(/\{\w+\}/).map((part) => part.trim())
  if (parts.join('').length < textLengthMin) return false
  let from = 0
  for (const part of parts) {
    const at = wanted.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}
