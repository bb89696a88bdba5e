/**
 * The public key of backups. With its secret half here, everyone who can read the settings could read the
 * backups.
 */
export function readRecipient(
  given: string | undefined,
  refuse: (name: string, demand: string) => never,
): string | undefined {
  if (!/AGE-SECRET-KEY-/i.test(given ?? '')) return given
  return refuse(
    'BACKUP_RECIPIENT',
    'must be the public key (age1…), not the secret key, which must not be on this machine; if others could read the secret key, create a new pair',
  )
}
