/** Problems of a line, in words for operators: never with its content, which may be personal data. */
const sentences = {
  encoding: 'the file isn’t encoded in UTF-8',
  empty: 'the file has no records',
  separator: 'the header row has no commas, semicolons, or tabs',
  quote: 'a quotation mark isn’t closed, or is inside an unquoted cell',
  cells: 'the line has more cells than the header row',
  too_many_lines: 'the file has too many lines: split it',
  heading: 'no known column names found: the first line must be the header row',
  json: 'not a valid JSON record',
  column_unknown: 'unknown column: to ignore it, use --skip-column NAME',
  column_twice: 'two columns give different values for this field',
  required: 'this is missing',
  column_missing: 'this required column is missing from the file',
  type: 'wrong type of value for this column',
  too_long: 'too long',
  invalid: 'contains characters that aren’t allowed',
  email: 'not a valid email address',
  number: 'must be a number with at most 20 digits before and 18 after the decimal point',
  one_of: 'not one of the allowed values',
  yes_no: 'must be true or false',
  time: 'must be a time in the past, such as 2024-05-01T09:30:00Z',
  date: 'must be a date such as 1990-12-31',
  password_hash:
    'must be a bcrypt, scrypt, or Argon2 hash with a supported cost, or empty to have the member set a password by email',
  too_many_kinds: 'only three types of password hash can be imported, and this is a fourth',
  id_twice: 'an earlier line has the same ID',
  email_twice: 'an earlier line has the same address',
  email_taken: 'another member already has this address',
  member_unknown: 'no member with this ID exists here or in the members file',
  reference: 'not a valid order reference',
  reference_taken: 'another order already has this reference',
  tx_used: 'another order has the same transaction, and sharesTransaction isn’t true for both',
  slug: 'must be lowercase letters and digits, with hyphens between words',
  slug_taken: 'another post uses or used this address',
  needs_documents:
    'only decided applications can be imported: remove this one and ask the member to apply here',
  only_refusals: 'only a rejected application can be final',
  picture: 'a picture in the text can’t be read',
  too_much_markup: 'the text has too much markup',
  text_empty: 'the text has no content that posts allow',
} as const

export type ImportFault = keyof typeof sentences

/** Position of a record. `item` counts from 1 in a list that has several items on a line. */
export type Place = {
  line: number
  item?: number
  /** The file's names for columns, where they differ from ours. */
  names?: Readonly<Record<string, string>>
}

export type ImportProblem = {
  line: number
  item?: number
  column: string
  fault: ImportFault
  /** For a member: how many records of other files depend on it, by kind. */
  dependents?: Partial<Record<'orders' | 'identities', number>>
}

/** Returns a problem in a known column, under the name that the file uses for it. */
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

export function describeFault({ line, item, column, fault, dependents = {} }: ImportProblem): string {
  const place = [
    line > 0 && `line ${line}`,
    item !== undefined && `item ${item}`,
    column !== '' && `column ${column}`,
  ].filter((part) => part !== false)
  const count = Object.values(dependents).reduce((sum, each) => sum + each, 0)
  const named = Object.entries(dependents).map(([kind, each]) => `${kind}: ${each}`)
  const more = count > 0 ? ` (records that depend on this member: ${named.join(', ')})` : ''
  return `${place.join(', ')}${place.length > 0 ? ': ' : ''}${sentences[fault]}${more}`
}
