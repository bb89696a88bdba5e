/** Maximum searched length of a post; the rest is ignored. */
const searchedLengthMax = 20_000
const wordsMax = 10

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** Returns the text of sanitized HTML. Blocks are separated by spaces, inline tags are not. */
export const textOfHtml = (html: string): string =>
  html
    .replaceAll(/<\/?(?:strong|b|em|i|u|s|del|code|sub|sup|span|a)(?:\s[^>]*)?>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Returns the searched text of a post. */
export const searchTextOf = (title: string, html: string): string =>
  // Cut before as well: normalization can expand one character to eighteen.
  fold(`${title} ${textOfHtml(html)}`.slice(0, 2 * searchedLengthMax))
    .slice(0, searchedLengthMax)
    .toWellFormed()

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`
const runs = new RegExp(String.raw`[${unspaced}]+|[[\p{L}\p{N}\p{M}]--[${unspaced}]]+`, 'gv')
const isUnspaced = new RegExp(`^[${unspaced}]`, 'v')

/**
 * Returns the n-grams of a text in the index. Chinese has no spaces, so any one or two adjacent characters can be a
 * word.
 */
export function gramsOf(searchText: string): string[] {
  const grams = new Set<string>()
  for (const [run] of searchText.matchAll(runs)) {
    const letters = [...run]
    if (isUnspaced.test(run)) {
      for (const [at, letter] of letters.entries()) {
        grams.add(letter)
        if (at > 0) grams.add(letters[at - 1]! + letter)
      }
    } else {
      grams.add(`^${letters[0]}`)
      if (letters.length > 1) grams.add(`^${letters[0]}${letters[1]}`)
      for (let at = 2; at < letters.length; at += 1) grams.add(letters.slice(at - 2, at + 1).join(''))
    }
  }
  return [...grams]
}

/** What must be found: `grams` by the index, `words` in the text itself. Null if the query is empty. */
export type Search = { grams: string[]; words: string[] }

/** Parses a query. Words of one or two letters only match the start of a word; all others match anywhere. */
export function searchFor(query: string): Search | null {
  const words = [...fold(query).matchAll(runs)].map(([run]) => run).slice(0, wordsMax)
  if (words.length === 0) return null
  const grams = new Set<string>()
  for (const word of words) {
    const letters = [...word]
    const all = gramsOf(word)
    const short = letters.length < 3
    for (const gram of all) {
      // A longer word may be inside another one, so its start can't be required.
      if (
        isUnspaced.test(word)
          ? letters.length === 1 || [...gram].length === 2
          : short || !gram.startsWith('^')
      )
        grams.add(gram)
    }
  }
  return { grams: [...grams], words }
}
