import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { termsOf, termsOfPart } from '../../../platform/db/read-words.ts'
import { searchedText } from '../../members/member.queries.ts'

/** One mistake turns a shorter word into too many others. */
const lengthMin = 5
const lengthMax = 30
/** The maximum number of members that are compared for each position of the mistake. */
const comparedMax = 1000

const wordsOf = (text: string): string[] => text.match(/[a-z0-9]+/g) ?? []

/**
 * Returns the IDs of members whose email address and names have all of the words, with at most one mistake in each. The
 * word index finds them by the longest word, so that one must be long enough.
 */
export async function findSimilarMembers(db: Tx, typed: string): Promise<string[]> {
  const words = wordsOf(typed.toLowerCase())
  const [longest = ''] = words.toSorted((a, b) => b.length - a.length)
  if (longest.length < lengthMin || longest.length > lengthMax) return []
  const compared = termsWithMistake(longest).map(
    (grams) => sql`select id from members_with_words(${termsOf({ grams })}, ${comparedMax}) id`,
  )
  const { rows } = await sql<{ id: string; text: string }>`
    select member.id, ${searchedText('member')} as text
    from member where id in (${sql.join(compared, sql` union `)})`.execute(db)
  const isSimilar = (text: string) => {
    const known = wordsOf(text)
    return words.every((word) => known.some((each) => isAlmost(word, each)))
  }
  return rows.filter(({ text }) => isSimilar(text)).map(({ id }) => id)
}

/** The index terms that a word keeps in spite of one mistake, for each place at which the mistake can be. */
function termsWithMistake(word: string): string[][] {
  const swapped = Array.from(word.slice(1), (letter, at) => [
    word.slice(0, at) + letter + word[at] + word.slice(at + 2),
  ])
  const unknown = Array.from(word, (_, at) => [word.slice(0, at), word.slice(at + 1)])
  return [...swapped, ...unknown].map((parts) =>
    parts.flatMap((part, index) => termsOfPart(part, index === 0 && part.length > 1)),
  )
}

/** Whether two words differ by at most one letter that is wrong, missing, added, or swapped with the next one. */
function isAlmost(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start += 1
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  const isSwapped = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
  return isSwapped || (left.length <= 1 && right.length <= 1)
}
