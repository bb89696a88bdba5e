import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { literalInLike } from './expressions.ts'

/** A search: one record by ID, or words, as index terms and as text. */
export type SearchedWords =
  | { id: string }
  | { grams: string[]; parts: { text: string; isBeginning: boolean }[] }

const wordsMax = 8
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/**
 * Splits a text like `member_grams`: letters a to z and digits form words, and each other character can be one.
 */
const runs = /[a-z0-9]+|[^ -~]+/g

/**
 * Null if there is nothing to search. One or two letters match the beginning of a word, more match anywhere.
 */
export function readWords(query: string | undefined): SearchedWords | null {
  const given = (query ?? '').trim()
  if (idPattern.test(given)) return { id: given.toLowerCase() }
  const grams = new Set<string>()
  const parts: { text: string; isBeginning: boolean }[] = []
  for (const word of given.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).split(/\s+/u)) {
    const found = gramsOfWord(word)
    if (found.length === 0 || parts.length === wordsMax) continue
    for (const gram of found) grams.add(gram)
    const isBeginning = /^[a-z0-9]{1,2}$/.test(word)
    const pattern = `%${literalInLike(word)}%`
    parts.push({ text: isBeginning ? word : pattern, isBeginning })
  }
  return parts.length > 0 ? { grams: [...grams], parts } : null
}

/** The terms contained in every text with the word. */
function gramsOfWord(word: string): string[] {
  const isWhole = /^[a-z0-9]{1,2}$/.test(word)
  return [...word.matchAll(runs)].flatMap(({ 0: run, index }) => {
    const letters = [...run]
    if (!/^[a-z0-9]/.test(run))
      return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => letters[at] + letter)
    // A run after another character starts a word; at the beginning it may be the end of a longer one.
    return termsOfPart(run, isWhole || index > 0)
  })
}

/** The terms of letters a to z and digits that are part of a word, or its beginning. */
export const termsOfPart = (part: string, isStart: boolean): string[] => [
  ...Array.from(part.slice(2), (_, at) => part.slice(at, at + 3)),
  ...(isStart ? [`^${part.slice(0, 2)}`] : []),
]

type Words = Extract<SearchedWords, { grams: string[] }>

/** Whether the lowercase text contains all of the words. */
export function containsAll(text: RawBuilder<unknown>, { parts }: Words): RawBuilder<SqlBool> {
  const conditions = parts.map((part) =>
    part.isBeginning ? sql`${text} ~ ${`(^|[^a-z0-9])${part.text}`}` : sql`${text} like lower(${part.text})`,
  )
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

/** Whether an array of `member_grams` has all terms of the words: candidates, found by the index. */
export function mayContainAll(grams: RawBuilder<unknown>, words: Pick<Words, 'grams'>): RawBuilder<SqlBool> {
  return sql<SqlBool>`${grams} @> ${termsOf(words)}`
}

export const termsOf = ({ grams }: Pick<Words, 'grams'>): RawBuilder<string[]> =>
  sql`array[${sql.join(grams.map((gram) => sql`lower(${gram})`))}]::text[]`
