/** Set in the environment of a command that was called through `coin`. */
export const calledAsCoin = 'CALLED_AS_COIN'

/** Returns a command as the operator calls it: `npm run db:dump -- FILE`, or on a server `coin db-dump FILE`. */
export const commandLine = (name: string, words = ''): string =>
  process.env[calledAsCoin]
    ? ['coin', name.replaceAll(':', '-'), words].filter(Boolean).join(' ')
    : ['npm run', name, words && `-- ${words}`].filter(Boolean).join(' ')
