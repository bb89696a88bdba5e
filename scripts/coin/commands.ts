type Command = {
  /** The script in `scripts/`, without its ending. */
  script: string
  /** What the command does, in a few words. */
  summary: string
  /** The words that follow the name. */
  words?: string
}

/**
 * Every command of `coin`. A command that also has an npm script has its name, with a hyphen instead of a colon:
 * `npm run db:dump` is `coin db-dump`.
 */
export const commands = {
  status: {
    script: 'status',
    summary: 'show the installed releases and the state of the service',
    words: '[--json]',
  },
  upgrade: {
    script: 'upgrade',
    summary: 'replace the release, or return to it if that fails',
    words: 'ARCHIVE [--yes] [--wait SECONDS]',
  },
  rollback: {
    script: 'rollback',
    summary: 'return to the previous release',
    words: '[--yes] [--wait SECONDS]',
  },
  doctor: {
    script: 'doctor',
    summary: 'check the installation',
    words: '[--json] [--mail ADDRESS] [--dkim SELECTOR]',
  },
  backup: {
    script: 'backup',
    summary: 'make, list, or verify backups',
    words: '[erasures | list | verify [NAME] | key FILE]',
  },
  restore: { script: 'restore', summary: 'restore a backup', words: '[NAME]' },
  'db-dump': { script: 'db-dump', summary: 'dump the database', words: 'FILE' },
  'db-restore': { script: 'db-restore', summary: 'restore a dump into an empty database', words: 'FILE' },
  'db-migrate': { script: 'db-migrate', summary: 'migrate the database without starting the product' },
  copy: {
    script: 'copy',
    summary: 'copy the database without personal data',
    words: '--scrub (TARGET_DATABASE_URL | --to FILE) [--admin EMAIL]',
  },
  admin: {
    script: 'admin',
    summary: 'grant permissions, remove second factors, or switch maintenance',
    words: '(grant | reset-factor | maintenance) …',
  },
  emails: {
    script: 'emails',
    summary: 'pause or resume the delivery of emails',
    words: 'pause | resume | status',
  },
  'audit-verify': { script: 'audit-verify', summary: 'verify the audit log', words: '[HASH]' },
  'keys-rotate': { script: 'rotate-master-key', summary: 'replace the master key' },
  'keys-new-signing-key': { script: 'new-signing-key', summary: 'replace the key that signs posts' },
  'mail-bounce': { script: 'mail-bounce', summary: 'process a bounce report', words: 'RECIPIENT < MESSAGE' },
  import: { script: 'import', summary: 'import data from another site', words: '[--dry-run] …' },
  'content-export': {
    script: 'content-export',
    summary: 'write published content to files',
    words: '[FOLDER]',
  },
  'content-import': { script: 'content-import', summary: 'publish content from files', words: '[FOLDER]' },
  'check-content': { script: 'check-content', summary: 'check the content of this release' },
  'check-publication': { script: 'check-publication', summary: 'list sample text in the content' },
} as const satisfies Record<string, Command>

/** Returns the command of that name. */
export const findCommand = (name: string): Command | undefined =>
  Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : undefined

/** Lists the commands, one per line. */
export function describeCommands(): string {
  const all: [string, Command][] = Object.entries(commands)
  const lines = all.map(([name, { summary, words }]) => [[name, words].filter(Boolean).join(' '), summary])
  const width = Math.max(...lines.map(([call]) => call!.length))
  return [
    'Usage: coin COMMAND',
    '',
    ...lines.map(([call, summary]) => `  ${call!.padEnd(width)}  ${summary}`),
    '',
    'The settings are read from /etc/coin/settings, or from the file that COIN_SETTINGS names.',
  ].join('\n')
}
