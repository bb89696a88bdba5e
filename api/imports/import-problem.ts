/** What is wrong with a line, in words for operators: never with what stands there, which may be somebody's data. */
const sentences = {
  encoding: 'the file is not UTF-8',
  empty: 'the file holds no records',
  separator: 'the heading has neither a comma nor a semicolon nor a tab',
  quote: 'a quotation mark is not closed, or stands within a cell that has none around it',
  cells: 'the line has more cells than the heading',
  too_many_lines: 'the file has more lines than are imported at once: split it',
  heading: 'none of the names in the heading is known: the first line must name the columns',
  json: 'this is no JSON record',
  column_unknown: 'this column is not known: leave it out with --skip-column NAME if nothing of it is needed',
  column_twice: 'two columns say this, and say different things',
  required: 'this is missing',
  column_missing: 'no record of the file has this, and every record needs it',
  type: 'this is of another kind than the column takes',
  too_long: 'this is too long',
  invalid: 'this holds characters that the column does not take',
  email: 'this is no e-mail address',
  number: 'this is no number of at most 20 digits before and 18 after the point',
  one_of: 'this is none of the words or numbers that the column takes',
  yes_no: 'this is neither true nor false',
  time: 'this is no time, or one in the future: write 2024-05-01T09:30:00Z',
  date: 'this is no date such as 1990-12-31',
  password_hash:
    'this is no bcrypt, scrypt or Argon2 hash of a cost that is taken over; without one the member sets a password by mail',
  too_many_kinds: 'with this one there are more kinds of hashes than the three that are taken over',
  id_twice: 'an earlier line has this id',
  email_twice: 'an earlier line has this address',
  email_taken: 'another member has this address',
  member_unknown: 'no member has this id, neither here nor in the file of members',
  reference: 'this is no reference as the site shows it',
  reference_taken: 'another order has this reference',
  tx_used: 'another order has this transaction, and sharesTransaction is not true for both',
  slug: 'this cannot be part of an address: letters and digits in lower case, with dashes between words',
  slug_taken: 'another post has or had this address',
  needs_documents:
    'an application that is not decided needs its documents: leave it out, the member applies here',
  only_refusals: 'only a rejected application is final',
  picture: 'a picture in the text cannot be read',
  too_much_markup: 'the text has too much markup',
  text_empty: 'nothing is left of the text: it had only what posts may not hold',
} as const

export type ImportFault = keyof typeof sentences

/** Where a record stands. `item` counts from 1, in a list that has several items on a line. */
export type Place = {
  line: number
  item?: number
  /** What the file calls the columns, where it calls them otherwise. */
  names?: Readonly<Record<string, string>>
}

export type ImportProblem = {
  line: number
  item?: number
  column: string
  fault: ImportFault
  /** Of a member: how many records of other files fall with it, by their kind. */
  dependents?: Partial<Record<'orders' | 'identities', number>>
}

/** A fault of a column that the site knows, under the name that the file has for it. */
export const problemAt = (
  { line, item, names }: Place,
  column: string,
  fault: ImportFault,
): ImportProblem => ({
  line,
  ...(item !== undefined && { item }),
  column: names?.[column] ?? column,
  fault,
})

export const isFault = (word: string): word is ImportFault => word in sentences

export function sayFault({ line, item, column, fault, dependents = {} }: ImportProblem): string {
  const place = [
    line > 0 && `line ${line}`,
    item !== undefined && `item ${item}`,
    column !== '' && `column ${column}`,
  ].filter((part) => part !== false)
  const count = Object.values(dependents).reduce((sum, each) => sum + each, 0)
  const named = Object.entries(dependents).map(([kind, each]) => `${kind}: ${each}`)
  const more = count > 0 ? ` (records of this member that wait for it: ${named.join(', ')})` : ''
  return `${place.join(', ')}${place.length > 0 ? ': ' : ''}${sentences[fault]}${more}`
}
