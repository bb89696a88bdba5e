import { readFileSync } from 'node:fs'
import { StartRefused } from '#api/platform/start-refused.ts'

/** The settings file of a server, as in docs/how-to/install-and-upgrade.md. */
const usualFile = '/etc/coin/settings'

/** Returns the path of the settings file. */
export const settingsFileOf = (environment: NodeJS.ProcessEnv): string =>
  environment['COIN_SETTINGS'] || usualFile

/**
 * A line of systemd's `EnvironmentFile`: nothing, a comment, or a name with a value in double quotes, in single quotes, or
 * without quotes. A backslash at the end of a line continues it.
 */
const line =
  /[ \t]*(?:[#;][^\n]*|([A-Za-z_]\w*)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|((?!["'])(?:[^\n\\]|\\[^])*?))[ \t]*)?\r?(?:\n|$)/y

/** Parses a settings file with the quoting of systemd. Throws the number of the first line that isn't a setting. */
export function parseSettings(text: string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (line.lastIndex = 0; line.lastIndex < text.length;) {
    const at = line.lastIndex
    const found = line.exec(text)
    if (!found) throw new StartRefused(`line ${text.slice(0, at).split('\n').length} isn’t NAME=value`)
    const [, name, double, single, bare] = found
    if (name === undefined) continue
    settings[name] =
      double?.replaceAll(/\\([\\"$`])|\\\n/g, '$1') ?? single ?? bare!.replaceAll(/\\\n|\\([^])/g, '$1')
  }
  return settings
}

/**
 * Adds the settings of the file that the environment doesn't set. Without a file, for example in a container, the
 * environment is all there is.
 */
export function addSettings(environment: NodeJS.ProcessEnv): void {
  const file = settingsFileOf(environment)
  for (const [name, value] of Object.entries(readSettingsFile(file, Boolean(environment['COIN_SETTINGS']))))
    environment[name] ??= value
}

function readSettingsFile(file: string, isRequired: boolean): Record<string, string> {
  try {
    return parseSettings(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof StartRefused) throw new StartRefused(`In ${file}, ${error.message}.`)
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !isRequired) return {}
    const hint = code === 'EACCES' ? ' Run the command as root.' : ''
    throw new StartRefused(`The settings file ${file} can’t be read (${code}).${hint}`)
  }
}
