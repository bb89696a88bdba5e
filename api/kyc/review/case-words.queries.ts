import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { literalInLike } from '../../db/expressions.ts'
import { containsAll, mayContainAll, readWords } from '../../db/read-words.ts'

type Words = NonNullable<ReturnType<typeof readWords>>

/**
 * Search words: the ID of a case or its applicant, or words of names and email address, one of which may be the start
 * of a chain address.
 */
type CaseWords = { words: Words; address: string | undefined }

/** Shorter ones would match too many addresses. */
const addressPattern = /^[0-9a-z]{5,128}$/i

export function readCaseWords(q: string): CaseWords | undefined {
  const words = readWords(q)
  return words ? { words, address: addressPattern.test(q.trim()) ? q.trim() : undefined } : undefined
}

/** Written exactly as in the index `kyc_application_searched`. */
const text = sql`lower(kyc_application.full_name || ' ' || kyc_application.last_name || ' ' || kyc_application.email)`

const beginning = (address: string) => `${literalInLike(address)}%`

/** For cases that are read in any case. */
export function matchesCase({ words, address }: CaseWords): RawBuilder<SqlBool> {
  if ('id' in words) return sql`(kyc_application.id = ${words.id} or kyc_application.member_id = ${words.id})`
  const inText = containsAll(text, words)
  if (address === undefined) return inText
  return sql`(${inText} or lower(kyc_application.eth_address) like ${beginning(address.toLowerCase())}
    or kyc_application.btc_address like ${beginning(address)})`
}

/** Uses one index per search field. */
export function findsCases({ words, address }: CaseWords): RawBuilder<SqlBool> {
  const from = sql`select kyc_application.id from kyc_application where`
  const ways =
    'id' in words
      ? [sql`${from} kyc_application.id = ${words.id}`, sql`${from} kyc_application.member_id = ${words.id}`]
      : [sql`${from} ${mayContainAll(sql`member_grams(${text})`, words)} and ${containsAll(text, words)}`]
  if (address !== undefined)
    ways.push(
      sql`${from} lower(kyc_application.eth_address) like ${beginning(address.toLowerCase())}`,
      sql`${from} kyc_application.btc_address <> '' and kyc_application.btc_address like ${beginning(address)}`,
    )
  return sql<SqlBool>`kyc_application.id in (${sql.join(ways, sql` union all `)})`
}
