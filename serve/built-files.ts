import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from 'vite'
import type { Language } from '#contract/fields.ts'
import type { BuiltFiles } from '#web/document.ts'
import { htmlLanguage } from '#web/i18n/language.ts'
import type { Route } from '#web/routes/routes.ts'

/** The site and the console are built apart, so that nothing of one is in the files of the other. */
export const programs = ['client', 'console'] as const
type Program = (typeof programs)[number]
export type Build = Readonly<Record<Program, Manifest>>

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

/** The modules a page starts with: its own and all that it imports, the entry's, and React's renderer. */
export function filesOfPage(
  build: Build,
  { file, guard }: Pick<Route, 'file' | 'guard'>,
  language: Language,
): BuiltFiles {
  const program = guard === 'staff' ? 'console' : 'client'
  const manifest = build[program]
  const entry = entries[program]
  const chunks = new Set<string>()
  for (const key of [entry, reactDomIn(manifest), `web/${file}`]) addWithImports(manifest, key, chunks)
  const parts = [...chunks].map((key) => chunk(manifest, key))
  const styles = [...new Set(parts.flatMap((part) => part.css ?? []))]
  const scripts = parts.map((part) => part.file).filter((each) => each !== chunk(manifest, entry).file)
  return {
    languageCheck: '/' + chunk(build.client, 'web/language-check.ts').file,
    entry: '/' + chunk(manifest, entry).file,
    styles: styles.map((each) => '/' + each),
    modules: scripts.map((each) => '/' + each),
    fonts: fontsFor(manifest, language).map((each) => '/' + each),
  }
}

/**
 * The faces of every page; all others come when a page needs them. Chinese text is set in the reader's own fonts, and
 * only the wordmark in ours.
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

/** React's renderer is a chunk that the build forms: it has a name, but no source module. */
const reactDomIn = (manifest: Manifest): string =>
  Object.keys(manifest).find((key) => manifest[key]?.name === 'react-dom') ?? 'react-dom'

function chunk(manifest: Manifest, key: string): Manifest[string] {
  const found = manifest[key]
  if (!found) throw new Error(`the build has no ${key}; run \`npm run build\` again`)
  return found
}
