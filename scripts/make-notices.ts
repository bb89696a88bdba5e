import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/* Writes THIRD-PARTY-NOTICES.md: the packages that the program runs and is built with, according to the lock file,
   and the fonts that it serves, each with its license. `makeNotices(true)` only checks whether the file is current. */

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'THIRD-PARTY-NOTICES.md')

type Locked = {
  version?: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  os?: string[]
  cpu?: string[]
  optional?: boolean
}
type Notice = { name: string; version: string; licence: string; text: string }

const fonts = [
  '@fontsource-variable/newsreader',
  '@fontsource-variable/source-sans-3',
  '@fontsource/noto-sans-sc',
  '@fontsource/noto-serif-sc',
  '@fontsource/source-sans-3',
  '@fontsource/newsreader',
]

export function makeNotices(isCheck: boolean): boolean {
  const wanted = noticesOf(readLock())
  const isCurrent = existsSync(target) && readFileSync(target, 'utf8') === wanted
  if (!isCheck && !isCurrent) writeFileSync(target, wanted)
  return isCurrent
}

const readLock = (): Record<string, Locked> =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> })
    .packages

function noticesOf(packages: Record<string, Locked>): string {
  const shipped = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
  )
  const notices = shipped.map(([path, locked]) => noticeOf(path, locked))
  const ofFonts = fonts.map((name) =>
    noticeOf(`node_modules/${name}`, packages[`node_modules/${name}`] ?? {}),
  )
  return (
    [
      '# Third-party notices',
      'Written by `npm run make:notices`. The program itself is licensed under the Apache License 2.0 (`LICENSE`). It runs on and is built with the packages below, which keep their own licenses. Packages that only its tests need are not listed.',
      'The films, drawings, sample documents, and pictures in `content/` and `web/` are made by this repository’s scripts and are under its license.',
      '## Packages',
      tableOf(notices),
      '## Fonts',
      'Served to browsers, and embedded in documents, as subsets made by `npm run make:fonts`.',
      tableOf(ofFonts),
      '## Licenses',
      ...textsOf([...notices, ...ofFonts]),
    ].join('\n\n') + '\n'
  )
}

const nameIn = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

function noticeOf(path: string, locked: Locked): Notice {
  // A platform-specific package exists only on that platform. Its license is that of the package that selects it.
  const isOfPlatform = locked.optional === true
  return {
    name: nameIn(path),
    version: locked.version ?? '',
    licence: locked.license ?? licenceIn(path),
    text: isOfPlatform ? '' : licenceTextIn(path),
  }
}

/** Some packages state their license only in their own package.json. */
function licenceIn(path: string): string {
  const file = join(root, path, 'package.json')
  if (!existsSync(file)) return 'see the package'
  const { license } = JSON.parse(readFileSync(file, 'utf8')) as { license?: unknown }
  return typeof license === 'string' ? license : 'see the package'
}

function licenceTextIn(path: string): string {
  const folder = join(root, path)
  if (!existsSync(folder)) return ''
  const names = readdirSync(folder).filter(
    (name) => /^(licen[cs]e|copying|notice)/i.test(name) && !/\.(js|ts|html)$/.test(name),
  )
  return names
    .toSorted()
    .map((name) =>
      readFileSync(join(folder, name), 'utf8')
        .replaceAll(/\r\n?/g, '\n')
        .replaceAll(/[ \t]+$/gm, '')
        .trim(),
    )
    .join('\n\n')
}

function tableOf(notices: readonly Notice[]): string {
  const lines = new Set(notices.map(({ name, version, licence }) => `- ${name} ${version}: ${licence}`))
  return [...lines].toSorted().join('\n')
}

/** Lists each license text once, under the packages that use it. */
function textsOf(notices: readonly Notice[]): string[] {
  const byText = Map.groupBy(
    notices.filter(({ text }) => text !== ''),
    ({ text }) => text,
  )
  const sections = [...byText].map(([text, of]) => {
    const names = [...new Set(of.map(({ name }) => name))].toSorted().join(', ')
    const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
    return `### ${names}\n\n${fence}text\n${text}\n${fence}`
  })
  return sections.toSorted()
}

// Not `import.meta.main`, because node may have been started with run.mjs.
if (process.argv[1] === import.meta.filename) makeNotices(false)
