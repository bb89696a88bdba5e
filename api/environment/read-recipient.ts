/** The public half of the key of backups. Its secret half would let everyone who reads the settings read the backups. */
export function readRecipient(
  given: string | undefined,
  refuse: (name: string, demand: string) => never,
): string | undefined {
  if (!/AGE-SECRET-KEY-/i.test(given ?? '')) return given
  return refuse(
    'BACKUP_RECIPIENT',
    'holds a secret key, which must not be on this machine; use the public key, which begins with age1, and make a new pair if others could read the secret',
  )
}
