import { readFileSync } from 'node:fs'
import { decimalPattern } from '#contract/platform/fields.ts'
import { addressesOf } from './database-address.ts'
import { StartRefused } from '../start-refused.ts'
import { exampleOf } from './settings.ts'

export type Environment = Record<string, string | undefined>

/** Passwords, keys, and tokens may be in a file whose path is in the setting with `_FILE` appended. */
const isSecret = (name: string): boolean =>
  /_(URL|KEY|TOKEN|SECRET|PASSWORD|XPUB)$|^BACKUP_TO$/.test(name) && name !== 'PUBLIC_URL'
const fileNameOf = (name: string): string => `${name}_FILE`

export type SettingReader = ReturnType<typeof readSettingsOf>

function refuse(name: string, demand: string): never {
  const example = exampleOf(name)
  const hint = example && !/such as|together|file/.test(demand) ? ` (example: ${name}=${example})` : ''
  throw new StartRefused(`The setting ${name} ${demand}${hint}.`)
}

function readSecret(nameOfFile: string, file: string): string {
  let text = ''
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    refuse(nameOfFile, `must be the path of a readable file (${code ?? 'unknown'})`)
  }
  return text || refuse(nameOfFile, 'must be the path of a file that isn’t empty')
}

function checkUrl(name: string, schemes: readonly string[], text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined
  // For PostgreSQL on a Unix socket, the parameter `host` is used instead.
  const hasHost = Boolean(address?.hostname || address?.searchParams.get('host'))
  if (!address || !hasHost || !schemes.includes(address.protocol.slice(0, -1)))
    refuse(name, `must be an address that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`)
  return text
}

/** Looks settings up in an environment or in files, and records which names exist. */
function lookUpIn(environment: Environment) {
  const known = new Set<string>()
  const look = (name: string): string | undefined => {
    known.add(name)
    const text = environment[name]?.trim() || undefined
    if (!isSecret(name)) return text
    const nameOfFile = fileNameOf(name)
    known.add(nameOfFile)
    const file = environment[nameOfFile]?.trim() || undefined
    if (file === undefined) return text
    if (text !== undefined) refuse(name, `must not be set together with ${nameOfFile}; remove one of them`)
    return readSecret(nameOfFile, file)
  }
  const read = new Map<string, string | undefined>()
  /** Read once each, because a pipe can't be read twice. */
  const given = (name: string): string | undefined => {
    if (!read.has(name)) read.set(name, look(name))
    return read.get(name)
  }
  /** Names of settings with a part chosen by operators. */
  const namesLike = (pattern: RegExp): string[] =>
    Object.keys(environment).filter((name) => pattern.test(name) && environment[name]?.trim())
  return { known, given, namesLike }
}

/** Reads and parses settings from an environment. */
export function readSettingsOf(environment: Environment) {
  const { known, given, namesLike } = lookUpIn(environment)
  const wholeNumber = (name: string, fallback: number, min: number, max: number): number => {
    const text = given(name)
    if (text === undefined) return fallback
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < min || number > max)
      refuse(name, `must be a whole number from ${min} to ${max}`)
    return number
  }
  const oneOf = <T extends string>(name: string, values: readonly T[], fallback: T): T => {
    const text = given(name) ?? fallback
    return values.includes(text as T) ? (text as T) : refuse(name, `must be one of ${values.join(', ')}`)
  }
  const url = (name: string, schemes: readonly string[]): string | undefined => {
    const text = given(name)
    return text === undefined ? undefined : checkUrl(name, schemes, text)
  }
  /** May contain several hosts. */
  const databaseAddress = (name: string): string | undefined => {
    const text = given(name)
    const schemes = ['postgres', 'postgresql']
    for (const address of addressesOf(text ?? '')) if (text) checkUrl(name, schemes, address)
    return text
  }
  /** Undefined if the setting is not set. */
  const onOrOff = (name: string): boolean | undefined =>
    given(name) === undefined ? undefined : oneOf(name, ['on', 'off'], 'on') === 'on'
  /** Null if the setting is `off`; undefined if it is not set. */
  const amountOrOff = (name: string): string | null | undefined => {
    const text = given(name)
    if (text === undefined || text === 'off') return text === 'off' ? null : undefined
    if (!decimalPattern.test(text)) refuse(name, 'must be off or a number of tokens such as 50000 or 0.5')
    return text
  }
  const percent = (name: string, fallback: string): string => {
    const text = given(name) ?? fallback
    if (!decimalPattern.test(text) || Number(text) > 100)
      refuse(name, 'must be a percentage from 0 to 100, with a point before decimals')
    return text
  }
  return {
    known,
    refuse,
    namesLike,
    given,
    wholeNumber,
    oneOf,
    onOrOff,
    url,
    databaseAddress,
    amountOrOff,
    percent,
  }
}
