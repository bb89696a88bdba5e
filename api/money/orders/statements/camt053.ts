import { XMLParser } from 'fast-xml-parser'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { decimalPattern } from '#contract/platform/fields.ts'

/** Column names of the rows read from a CAMT.053 statement, in cell order. */
export const camtColumns = ['date', 'amount', 'currency', 'reference', 'sender', 'direction'] as const

/**
 * `several_payments`: one booking of several payments whose amounts are unknown. `reversal`: reverses an earlier
 * booking, or returns a payment to its sender. `returned`: a payment that we made came back. `status`: the bank doesn't
 * say in the words of the standard whether it is booked.
 */
export type CamtRow = {
  cells: string[]
  /** The bank's own reference of the payment; empty if it gives none. */
  bankReference: string
  /** All texts of the payment, including those of fields that have no column. */
  texts: string[]
  /** The status of an entry that the bank doesn't call booked; empty if it gives none. */
  otherStatus?: string
  problem?: 'several_payments' | 'reversal' | 'returned' | 'status'
}
/** `pending`: the number of entries that aren't booked yet. */
type CamtStatement = { rows: CamtRow[]; pending: number }

type Node = { [name: string]: unknown }

const asList = (value: unknown): Node[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (each): each is Node => typeof each === 'object' && each !== null,
  )
const at = (node: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((found, name) => {
    const one: unknown = Array.isArray(found) ? found[0] : found
    return typeof one === 'object' && one !== null ? (one as Node)[name] : undefined
  }, node)
const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(' ')
  if (typeof value === 'object' && value !== null) return textOf((value as Node)['#text'] ?? '')
  return typeof value === 'string' ? value.trim() : ''
}

/** Returns all texts in a node. It uses a loop instead of recursion, because a file may nest nodes without limit. */
function textsIn(node: unknown): string[] {
  const texts: string[] = []
  const left = [node]
  while (left.length > 0) {
    const each = left.pop()
    if (typeof each === 'string') texts.push(each)
    if (typeof each !== 'object' || each === null) continue
    // `pop` takes the last item first, so the reversed order keeps the order of the file.
    for (const [name, value] of Object.entries(each).toReversed()) if (!name.startsWith('@')) left.push(value)
  }
  return texts
}

export const isXml = (text: string): boolean => /^\s*(?:<\?xml|<(?:\w+:)?Document)\b/.test(text)

/**
 * Returns the entries of a CAMT.053 statement as rows, or undefined if the text isn't one. Entries that aren't booked yet
 * are only counted: their payments may still fail, and a later statement shows them as booked. A document type
 * declaration is rejected, because it could declare entities that expand without limit or read other files.
 */
export function readCamt053(text: string): CamtStatement | undefined {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return undefined
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: true,
  })
  let document: unknown
  try {
    document = parser.parse(text, true)
  } catch {
    return undefined
  }
  // Some banks write several reports into one file.
  const reports = asList(at(document, 'Document')).flatMap((each) => asList(each['BkToCstmrStmt']))
  if (reports.length === 0) return undefined
  const entries = reports
    .flatMap((report) => asList(report['Stmt']))
    .flatMap((statement) => asList(statement['Ntry']))
  const listed = entries.filter((entry) => !unbooked.includes(statusOf(entry)))
  return { rows: listed.flatMap(readEntry), pending: entries.length - listed.length }
}

/** Statuses of the standard: pending, future, and for information only. */
const unbooked = ['PDNG', 'FUTR', 'INFO']

/**
 * Returns one payment, or each of the payments that the bank booked together if their amounts add up to the booked
 * amount.
 */
function readEntry(entry: Node): CamtRow[] {
  const status = statusOf(entry)
  const details = detailsOf(entry)
  const isSplit = details.length > 1 && details.length >= countOf(entry) && addUp(details, entry)
  const rows = isSplit ? details.map((detail) => [detail]) : [details]
  return rows.map((row) => ({
    cells: cellsOf(row, entry, isSplit),
    bankReference: bankReferenceOf(row, entry),
    texts: textsIn(isSplit ? { ...entry, NtryDtls: row } : entry),
    ...(status !== 'BOOK' && { otherStatus: status }),
    ...problemOf(row, entry, isSplit),
  }))
}

/**
 * Returns what banks assign to one payment. The other references don't identify it: the payer chooses `EndToEndId`, and
 * `NtryRef` may be the number of the entry within the statement.
 */
const bankReferenceOf = (details: readonly Node[], entry: Node): string =>
  [
    entry['AcctSvcrRef'],
    ...details.flatMap((detail) => [at(detail, 'Refs', 'AcctSvcrRef'), at(detail, 'Refs', 'TxId')]),
  ]
    .map(textOf)
    .filter((each) => !['', 'NOTPROVIDED', 'NONREF'].includes(each))
    .join(' ')

const detailsOf = (entry: Node): Node[] => asList(entry['NtryDtls']).flatMap((each) => asList(each['TxDtls']))
const amountOf = (detail: Node): unknown => at(detail, 'Amt') ?? at(detail, 'AmtDtls', 'TxAmt', 'Amt')
const statusOf = (entry: Node): string =>
  textOf(at(entry, 'Sts', 'Cd') ?? at(entry, 'Sts', 'Prtry') ?? entry['Sts'])
const directionOf = (entry: Node): string => textOf(entry['CdtDbtInd']) || 'DBIT'

function problemOf(details: readonly Node[], entry: Node, isSplit: boolean): Pick<CamtRow, 'problem'> {
  // xs:boolean has two spellings of true.
  if (['true', '1'].includes(textOf(entry['RvslInd']).toLowerCase())) return { problem: 'reversal' }
  const isCredit = directionOf(entry) === 'CRDT'
  if (details.some((detail) => detail['RtrInf'] !== undefined))
    return { problem: isCredit ? 'returned' : 'reversal' }
  if (!isCredit) return {}
  if (statusOf(entry) !== 'BOOK') return { problem: 'status' }
  const isSeveral = Math.max(detailsOf(entry).length, countOf(entry)) > 1
  return isSeveral && !isSplit ? { problem: 'several_payments' } : {}
}

/** Number of payments that the bank says it booked together. */
const countOf = (entry: Node): number =>
  asList(entry['NtryDtls']).reduce((sum, each) => sum + (Number(textOf(at(each, 'Btch', 'NbOfTxs'))) || 0), 0)

/** Whether each payment has an amount and the sum equals the booked amount. */
function addUp(details: readonly Node[], entry: Node): boolean {
  const currency = textOf(at(entry['Amt'], '@Ccy'))
  let sum = 0n
  for (const detail of details) {
    const amount = amountOf(detail)
    if (!decimalPattern.test(textOf(amount)) || textOf(at(amount, '@Ccy')) !== currency) return false
    const direction = textOf(detail['CdtDbtInd']) || directionOf(entry)
    sum += parseDecimal(textOf(amount)) * (direction === directionOf(entry) ? 1n : -1n)
  }
  const booked = textOf(entry['Amt'])
  return decimalPattern.test(booked) && sum === parseDecimal(booked)
}

function cellsOf(details: readonly Node[], entry: Node, isSplit: boolean): string[] {
  const [first] = details
  const amount = isSplit && first ? amountOf(first) : entry['Amt']
  const direction = (isSplit && first && textOf(first['CdtDbtInd'])) || directionOf(entry)
  const date =
    textOf(at(entry, 'BookgDt', 'DtTm')) ||
    textOf(at(entry, 'BookgDt', 'Dt')) ||
    textOf(at(entry, 'ValDt', 'Dt'))
  const senders = details.map((each) =>
    textOf(at(each, 'RltdPties', 'Dbtr', 'Nm') ?? at(each, 'RltdPties', 'Dbtr', 'Pty', 'Nm')),
  )
  return [
    date.slice(0, 10),
    textOf(amount),
    textOf(at(amount, '@Ccy')),
    purposeOf(details, entry),
    [...new Set(senders)].filter(Boolean).join(', '),
    direction,
  ]
}

/** Returns all remittance text: a payment of several invoices has several references. */
const purposeOf = (details: readonly Node[], entry: Node): string =>
  [
    ...details.flatMap((detail) => [
      at(detail, 'RmtInf', 'Ustrd'),
      ...asList(at(detail, 'RmtInf', 'Strd')).map((each) => at(each, 'CdtrRefInf', 'Ref')),
      at(detail, 'Refs', 'EndToEndId'),
    ]),
    entry['AddtlNtryInf'],
  ]
    .map(textOf)
    .filter((each) => each !== '' && each !== 'NOTPROVIDED')
    .join(' ')
