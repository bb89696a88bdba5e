import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Manifest } from 'vite'
import type { Language } from '#contract/platform/fields.ts'
import type { BuiltFiles } from '#web/document.ts'
import { htmlLanguage } from '#web/kernel/i18n/language.ts'
import { waitsForReader } from '#web/kernel/routes/route.ts'
import type { Route } from '#web/kernel/routes/routes.ts'
import type { Compressed } from './response-cache/compress.ts'

/** The site and the console are built separately, so that neither's files contain code of the other. */
export const programs = ['client', 'console'] as const
type Program = (typeof programs)[number]
type Build = Readonly<Record<Program, Manifest>>

const entries: Record<Program, string> = {
  client: 'web/entry.browser.tsx',
  console: 'web/entry.console.tsx',
}

export const programDirectory = (root: string, program: Program): string => join(root, 'dist', program)

export const readBuild = (root: string): Build => {
  const manifestOf = (program: Program) =>
    JSON.parse(readFileSync(join(programDirectory(root, program), '.vite/manifest.json'), 'utf8')) as Manifest
  return { client: manifestOf('client'), console: manifestOf('console') }
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
}

export const typeOfBuilt = (file: string): string => types[extname(file)] ?? 'application/octet-stream'

/** Whether a file name looks like that of a built file: a content hash and a known extension. */
export const isNameOfBuilt = (file: string): boolean =>
  /^[\w.-]{1,100}-[\w-]{7}\.[a-z\d]{2,5}$/.test(file) && extname(file) in types

type BuiltBytes = { file: string; plain: Buffer; compressed?: Compressed | undefined }

/** Reads the files of both programs, with their precompressed forms if the build made them. */
export const readBuiltFiles = (root: string): BuiltBytes[] =>
  programs.flatMap((program) => {
    const directory = join(programDirectory(root, program), 'assets/app')
    const built = new Set(readdirSync(directory))
    return [...built]
      .filter((file) => !/\.(?:br|gz)$/.test(file))
      .map((file) => {
        const read = (ending = '') => readFileSync(join(directory, file + ending))
        const compressed = built.has(`${file}.br`) ? { brotli: read('.br'), gzip: read('.gz') } : undefined
        return { file, plain: read(), compressed }
      })
  })

/** Built files to store, because other instances may be asked for the files of this release's pages. */
export const filesToKeep = (root: string) => [
  ...new Map(
    readBuiltFiles(root)
      .filter(({ file }) => isNameOfBuilt(file))
      .map(({ file, plain, compressed }) => [
        file,
        {
          name: file,
          form: compressed ? ('br' as const) : ('plain' as const),
          bytes: compressed?.brotli ?? plain,
        },
      ]),
  ).values(),
]

/**
 * The modules that a page starts with: the entry's with all imports, React's renderer, and its own unless it is
 * loaded later. Also the styles of everything that the server renders, even if its script loads later
 * (`web/kernel/still/deferred-components.ts`).
 */
export function filesOfPage(
  build: Build,
  route: Pick<Route, 'file' | 'guard' | 'rendered' | 'startsAtOnce'>,
  language: Language,
): BuiltFiles {
  const { file, guard, rendered } = route
  const program = guard === 'staff' ? 'console' : 'client'
  const manifest = build[program]
  const entry = entries[program]
  const chunks = new Set<string>()
  const page = `web/${file}`
  const first = [entry, named(manifest, 'react-dom'), waitsForReader(route) ? 'web/page-on-sign.tsx' : page]
  // A shell page loads its data through the API.
  if (rendered === 'shell') first.push(named(manifest, 'calls'))
  if (guard === 'member') first.push(named(manifest, 'member'))
  for (const key of first) addWithImports(manifest, key, chunks)
  const shown = new Set(chunks)
  addWithImports(manifest, page, shown)
  const drawn = new Set(shown)
  for (const key of shown)
    for (const late of chunk(manifest, key).dynamicImports ?? [])
      if (/-parts[-.]/.test(late)) addWithImports(manifest, late, drawn)
  const address = (key: string) => '/' + chunk(manifest, key).file
  const styles = new Set([...drawn].flatMap((key) => chunk(manifest, key).css ?? []))
  return {
    languageCheck: '/' + chunk(build.client, 'web/language-check.ts').file,
    entry: address(entry),
    page: address(page),
    styles: [...styles].map((each) => '/' + each),
    modules: [...chunks].filter((key) => key !== entry).map(address),
    fonts: fontsFor(manifest, language).map((each) => '/' + each),
  }
}

/**
 * Fonts that every page uses. All others load when a page needs them. Chinese text uses installed fonts, except in the
 * wordmark.
 */
const fontsFor = (manifest: Manifest, language: Language): string[] =>
  Object.entries(manifest)
    .filter(([key]) =>
      (htmlLanguage[language].startsWith('zh')
        ? /newsreader\.woff2$/
        : /(newsreader|source-sans-3)\.woff2$/
      ).test(key),
    )
    .map(([, { file }]) => file)

function addWithImports(manifest: Manifest, key: string, into: Set<string>): void {
  if (into.has(key)) return
  into.add(key)
  for (const imported of chunk(manifest, key).imports ?? []) addWithImports(manifest, imported, into)
}

/** A chunk formed by the build (`fileGroups` in `vite.config.ts`): it has a name but no source module. */
const named = (manifest: Manifest, name: string): string =>
  Object.keys(manifest).find((key) => manifest[key]?.name === name) ?? name

function chunk(manifest: Manifest, key: string): Manifest[string] {
  const found = manifest[key]
  if (!found) throw new Error(`the build has no ${key}; run \`npm run build\` again`)
  return found
}
