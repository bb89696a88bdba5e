/** Providers whose mailboxes ignore dots in the name. */
const dotless: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' }

/**
 * The mailbox that an address most likely belongs to, for counting emails only: accounts with different addresses stay different.
 * What follows a plus sign is a tag of its owner's; a server that takes it for part of the name shares its limit with its neighbors.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const name = email.slice(0, at).toLowerCase()
  const untagged = name.replace(/(?<=.)\+.*$/s, '')
  const provider = dotless[domain]
  return provider === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${provider}`
}
