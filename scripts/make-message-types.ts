import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const lineLengthMax = 110

/** Values that are interpolated everywhere without being passed. */
const alwaysKnown = new Set(['brand', 'ticker', 'contact'])

type Words = { readonly [key: string]: string | readonly string[] | Words }

/** The values that each message requires, by its key. */
type Placeholders = Record<string, readonly string[]>

/** The messages that the API shares with the pages. */
const usedByApi = ['errors.json']

/** Returns the types of each generated file. With them, a message without its values causes a type error. */
export function findPlaceholders(language: 'en' | 'cn'): Record<string, Record<string, Placeholders>> {
  const folder = `messages/${language}`
  const messages = readdirSync(join(root, 'content', folder)).toSorted()
  const within = (names: readonly string[]) => inSentences(names.map((name) => `${folder}/${name}`))
  return {
    'web/kernel/i18n/placeholders.ts': { Placeholders: within(messages) },
    'api/platform/text/placeholders.ts': {
      ArchivePlaceholders: inSentences([`privacy/${language}.json`]),
      IdentityPlaceholders: inSentences([`identity/${language}.json`]),
      Placeholders: within(usedByApi),
    },
  }
}

function inSentences(files: readonly string[]): Placeholders {
  return Object.fromEntries(
    files
      .flatMap((file) => sentencesOf(read(file)))
      .map(([key, sentence]) => [key, placeholdersOf(sentence)] as const)
      .filter(([, placeholders]) => placeholders.length > 0),
  )
}

/** Every message with its dotted key. */
function sentencesOf(words: Words, prefix = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : sentencesOf(value as Words, `${prefix}${key}.`),
  )
}

const read = (file: string) => JSON.parse(readFileSync(join(root, 'content', file), 'utf8')) as Words

const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!))]
    .filter((name) => !alwaysKnown.has(name))
    .toSorted()

const fileOf = (types: Record<string, Placeholders>): string =>
  [
    '// Generated from the English messages by `npm run words:types`. Do not edit.\n',
    ...Object.entries(types).map(
      ([name, placeholders]) =>
        `export type ${name} = {\n${Object.entries(placeholders).map(lineOf).join('')}}\n`,
    ),
  ].join('\n')

/** The type of each message file, by name, so that no list of files has to be kept. */
function messageFiles(): string {
  const files = readdirSync(join(root, 'content/messages/en')).toSorted()
  const line = (file: string) =>
    `  ${quoted(file.slice(0, -'.json'.length))}: typeof import('#content/messages/en/${file}')\n`
  return `\nexport type MessageFiles = {\n${files.map(line).join('')}}\n`
}

const quoted = (key: string) => (/^[a-z]\w*$/i.test(key) ? key : `'${key}'`)

function lineOf([key, placeholders]: [string, readonly string[]]): string {
  const values = placeholders.map((name) => `'${name}'`)
  const name = quoted(key)
  const line = `  ${name}: ${values.join(' | ') || 'never'}\n`
  return line.length - 1 <= lineLengthMax
    ? line
    : `  ${name}:\n${values.map((each) => `    | ${each}\n`).join('')}`
}

/** Writes the files, or only compares them if `isCheck` is set. Returns the outdated files. */
export function makeMessageTypes(isCheck: boolean): string[] {
  const files = Object.entries(findPlaceholders('en')).map(
    ([path, types]) => [path, fileOf(types) + (path.startsWith('web/') ? messageFiles() : '')] as const,
  )
  const stale = files.filter(([path, text]) => textAt(path) !== text)
  if (!isCheck) for (const [path, text] of stale) writeFileSync(join(root, path), text)
  return stale.map(([path]) => path)
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}

// Not `import.meta.main`, because node may have been started with run.mjs.
if (process.argv[1] === import.meta.filename) for (const path of makeMessageTypes(false)) console.log(path)
