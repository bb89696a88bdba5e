import { XMLParser } from 'fast-xml-parser'

/** The heading of what is read of a CAMT.053 statement, in the order of its cells. */
export const camtColumns = ['date', 'amount', 'currency', 'reference', 'sender', 'direction'] as const

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

export const isXml = (text: string): boolean => /^\s*(?:<\?xml|<(?:\w+:)?Document)\b/.test(text)

/**
 * The booked entries of a CAMT.053 statement as cells, or undefined for what is none. A document type is refused: with it a file could declare
 * entities that expand without limit or read other files.
 */
export function readCamt053(text: string): string[][] | undefined {
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
  const report = at(document, 'Document', 'BkToCstmrStmt')
  if (typeof report !== 'object') return undefined
  return asList(at(report, 'Stmt')).flatMap((statement) => asList(statement['Ntry']).flatMap(readEntry))
}

/** One payment, or each of those that the bank booked together where it names their amounts. */
function readEntry(entry: Node): string[][] {
  const status = textOf(at(entry, 'Sts', 'Cd')) || textOf(entry['Sts'])
  if (status !== '' && status !== 'BOOK') return []
  // xs:boolean has two spellings of true.
  const isReversal = ['true', '1'].includes(textOf(entry['RvslInd']))
  const details = asList(entry['NtryDtls']).flatMap((each) => asList(each['TxDtls']))
  const amounts = details.map((each) => at(each, 'Amt') ?? at(each, 'AmtDtls', 'TxAmt', 'Amt'))
  const isSplit = details.length > 1 && amounts.every((each) => textOf(each) !== '')
  const date =
    textOf(at(entry, 'BookgDt', 'DtTm')) ||
    textOf(at(entry, 'BookgDt', 'Dt')) ||
    textOf(at(entry, 'ValDt', 'Dt'))
  return (isSplit ? details : [details]).map((detail, index) => {
    const amount = isSplit ? amounts[index] : entry['Amt']
    const direction = (isSplit && textOf(at(detail, 'CdtDbtInd'))) || textOf(entry['CdtDbtInd']) || 'DBIT'
    return [
      date.slice(0, 10),
      textOf(amount),
      textOf(at(amount, '@Ccy')),
      purposeOf(detail, entry),
      textOf(at(detail, 'RltdPties', 'Dbtr', 'Nm') ?? at(detail, 'RltdPties', 'Dbtr', 'Pty', 'Nm')),
      // What is taken back was no payment.
      isReversal ? 'DBIT' : direction,
    ]
  })
}

const purposeOf = (detail: unknown, entry: Node): string =>
  [
    at(detail, 'RmtInf', 'Ustrd'),
    at(detail, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
    at(detail, 'Refs', 'EndToEndId'),
    entry['AddtlNtryInf'],
  ]
    .map(textOf)
    .filter((each) => each !== '' && each !== 'NOTPROVIDED')
    .join(' ')
