import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { literalInLike } from './literal-in-like.ts'

/** What is searched: one record by id, or words, by the terms under which the index has them and by the text itself. */
export type SearchedWords =
  | { id: string }
  | { grams: string[]; parts: { text: string; isBeginning: boolean }[] }

const wordsMax = 8
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** As `member_grams` cuts a text: letters a to z and digits make words, each other character may be one. */
const runs = /[a-z0-9]+|[^ -~]+/g

/** Null where there is nothing to look for. One or two letters stand at the beginning of a word, more of them anywhere. */
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

/** The terms that every text has which holds the word. */
function gramsOfWord(word: string): string[] {
  const isWhole = /^[a-z0-9]{1,2}$/.test(word)
  return [...word.matchAll(runs)].flatMap(({ 0: run, index }) => {
    const letters = [...run]
    const windows = (size: number) =>
      letters.slice(size - 1).map((_, at) => letters.slice(at, at + size).join(''))
    if (!/^[a-z0-9]/.test(run)) return letters.length === 1 ? letters : windows(2)
    // What another character precedes begins a word; at the beginning it may be the end of a longer one.
    const isStart = isWhole || index > 0
    return [...windows(3), ...(isStart ? [`^${letters.slice(0, 2).join('')}`] : [])]
  })
}

type Words = Extract<SearchedWords, { grams: string[] }>

/** Whether the text, which is in lower case, holds all of the words. */
export function holdsAll(text: RawBuilder<unknown>, { parts }: Words): RawBuilder<SqlBool> {
  const conditions = parts.map((part) =>
    part.isBeginning ? sql`${text} ~ ${`(^|[^a-z0-9])${part.text}`}` : sql`${text} like lower(${part.text})`,
  )
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

/** Whether an array of `member_grams` has all terms of the words: what may hold them, by the index. */
export function mayHoldAll(grams: RawBuilder<unknown>, words: Pick<Words, 'grams'>): RawBuilder<SqlBool> {
  return sql<SqlBool>`${grams} @> ${termsOf(words)}`
}

export const termsOf = ({ grams }: Pick<Words, 'grams'>): RawBuilder<string[]> =>
  sql`array[${sql.join(grams.map((gram) => sql`lower(${gram})`))}]::text[]`
