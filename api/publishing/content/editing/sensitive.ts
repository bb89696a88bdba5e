import type { SensitiveKind } from '#contract/publishing/console-content.ts'
import type { SettingChange } from '#contract/people/settings.ts'
import { isEmailItem } from '#contract/publishing/content-emails.ts'
import { kindOf } from './content-item.ts'

const legalItems = [
  'messages/legal',
  'messages/consents',
  // Information that the law requires before a purchase, and the right of withdrawal.
  'messages/white-paper',
  'messages/withdrawals',
  'facts/white-paper.json',
]
/** Texts that readers accept by continuing, anywhere on the site. */
export const legalTexts = [
  'login.signup.terms',
  'orders.quote.terms',
  'kyc.privacy',
  'ambassador.form.privacy',
]
const followedParts = /^(email|phone|address|links|social|documents)(\.|$)/

/**
 * Patterns for places that a reader may go, write, or pay to: a name with a dot, as in web and email addresses, the
 * number of a host, or something that looks like a chain address. When in doubt, they require a second approval.
 */
const followed = [
  /(?<!\.)\.(\p{L}{2,}|\{)/u,
  /(?<!\d)\d{1,3}(\.\d{1,3}){3}(?!\d)/,
  // An email address, or a user name on a social network.
  /[^\s@]@|@[^\s@]|:\/\//,
  // The Chinese full stop, which browsers treat as a dot in an address, also ends every sentence.
  /[a-z\d-]。[\p{L}\d]|[\p{L}\d]。([a-z]{2,}|\p{Script=Han}{2,5}(?=\/|:\d|$))/iu,
  /(?<![a-z\d])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{26,}/i,
  // A bank account number (IBAN), with or without groups.
  /(?<![a-z\d])[a-z]{2}\d{2}([^\p{L}\p{N}]?[a-z\d]{4}){3,7}([^\p{L}\p{N}]?[a-z\d]{1,4})?(?![a-z\d])/iu,
]

const addressLengthMin = 26
/** Letters and digits in one group, or a capital after a lowercase letter, as in addresses but not in words. */
const isCoded = (group: string): boolean => /\d[a-z]|[a-z]\d/i.test(group) || /[a-z][A-Z]/.test(group)

/** Whether adjacent groups form an address: `bc1q w508 d6qe …`, `0x52-90-84-…`, or single characters. */
function hasGroupedAddress(text: string): boolean {
  let [groups, end]: [string[], number] = [[], 0]
  for (const { 0: group, index } of text.matchAll(/[a-z\d]+/gi)) {
    if (!isSeparator(text.slice(end, index))) groups = []
    groups.push(group)
    end = index + group.length
    if (isAddress(lastGroups(groups))) return true
  }
  return false
}

const isSeparator = (between: string): boolean => /^[^\p{L}\p{N}]{1,3}$/u.test(between)

/** As many of the last groups as an address needs. */
function lastGroups(groups: readonly string[]): readonly string[] {
  let [length, from] = [0, groups.length]
  while (length < addressLengthMin && from > 0) length += groups[--from]!.length
  return length < addressLengthMin ? [] : groups.slice(from)
}

/** Whether most groups are coded, or all are of one short length with digits in many. */
function isAddress(groups: readonly string[]): boolean {
  if (groups.length < 3) return false
  const coded = groups.filter(isCoded).length
  if (coded >= 3 && 5 * coded >= 3 * groups.length) return true
  const [first, second, ...rest] = groups.map((group) => group.length)
  const isInSteps =
    second! <= 8 && first! >= second! && rest.slice(0, -1).every((length) => length === second)
  const numbered = groups.filter((group) => /\d/.test(group)).length
  if (second === 1) return isInSteps && numbered > 0 && numbered < groups.length
  return isInSteps && coded > 0 && numbered >= 3 && 4 * numbered >= groups.length
}

/**
 * Text as readers and browsers interpret it: without invisible characters and tags, in plain letters, and with
 * all dots that an address may have.
 */
const asRead = (text: string): string =>
  text
    .replaceAll(/<\/?\w+>/g, '')
    .normalize('NFKD')
    .replaceAll(/[\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')

const isFollowed = (text: string | null): boolean => {
  if (text === null) return false
  const read = asRead(text)
  return followed.some((pattern) => pattern.test(read)) || hasGroupedAddress(read)
}

/** The sensitive kinds that a change of a piece affects. */
export function sensitiveIn(piece: string, changes: readonly SettingChange[]): SensitiveKind[] {
  if (changes.length === 0) return []
  const kinds = new Set<SensitiveKind>()
  if (legalItems.includes(piece)) kinds.add('legal')
  if (kindOf(piece) === 'document') kinds.add('links')
  // Emails from us are trusted by their recipients.
  if (isEmailItem(piece)) kinds.add('links')
  for (const { path, from, to } of changes) {
    if (piece === 'brand.json' && path.startsWith('legalLine')) kinds.add('legal')
    if (kindOf(piece) === 'messages' && legalTexts.includes(path.replace(/^[a-z]+\./, ''))) kinds.add('legal')
    if (piece === 'brand.json' && followedParts.test(path)) kinds.add('links')
    if (/(^|\.)(fileTitle|hasChinese)$/.test(path)) kinds.add('links')
    if (isFollowed(from) || isFollowed(to)) kinds.add('links')
  }
  return [...kinds].toSorted()
}
