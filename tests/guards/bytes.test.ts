import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { defaultAppId } from '#contract/people/apps.ts'
import { createMember } from '#contract/people/members.ts'
import type { BuiltFiles } from '#web/document.ts'
import { answeringContent } from '#tests/setup/site-content.ts'
import type * as Entry from '#web/entry.server.tsx'
import { waitsForReader } from '#web/kernel/routes/route.ts'
import type { Route } from '#web/kernel/routes/routes.ts'
import { onlyForServers } from '../../scripts/slim-contract.ts'
import { filesOfPage, programDirectory, programs, readBuild } from '../../serve/built-files.ts'
import { sourcesIn, textOf } from './source-files.ts'

const root = join(import.meta.dirname, '../..')
const scriptBytesMax = { home: 70_000, 'login.signin': 90_000 }
const pageBytesMax = 150_000
/** The maximum for a document, because each file is a separate request and response. */
const scriptRequestsMax = 10
/** The console has more and smaller files, so that the next page loads little. Identity verification has its messages. */
const moreRequests = { console: 14, kyc: 11 }
type Program = (typeof programs)[number]

const client = programDirectory(root, 'client')

let files: BuiltFiles
let entry: typeof Entry

/** The hash in a file's name, which differs with every change anywhere in the program. */
const hashInName = /([\w.-]+)-[\w-]{7}(?=\.(?:js|css)\b)/g

/**
 * Some hashes compress better than others, by up to 200 bytes for a page. Each is replaced by a hash of the name alone,
 * so that only the contents decide.
 */
const withSteadyHashes = (script: string): string =>
  script.replaceAll(
    hashInName,
    (_, name: string) => `${name}-${createHash('sha256').update(name).digest('base64url').slice(0, 7)}`,
  )

const bytesOf = (address: string, program: Program = 'client'): number => {
  const inProgram = join(programDirectory(root, program), address)
  const path = existsSync(inProgram) ? inProgram : join(client, address)
  if (address.endsWith('.woff2')) return statSync(path).size
  return brotliCompressSync(withSteadyHashes(readFileSync(path, 'utf8'))).length
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0)

beforeAll(async () => {
  if (!existsSync(client)) throw new Error('there is no build to weigh: run `npm run build` first')
  entry = (await import(pathToFileURL(join(root, 'dist/server/entry.server.js')).href)) as typeof Entry
  files = filesOfPage(readBuild(root), entry.getRoute('home'), 'en')
})

const scriptsOf = ({ languageCheck, entry: begins, modules }: BuiltFiles) => [
  languageCheck,
  begins,
  ...modules,
]

test.each(['home', 'login.signin'] as const)('the script of %s stays small before anybody clicks', (name) => {
  const page = filesOfPage(readBuild(root), entry.getRoute(name), 'en')
  expect(sum(scriptsOf(page).map((each) => bytesOf(each)))).toBeLessThanOrEqual(scriptBytesMax[name])
})

/** Response headers of one file, as measured in Chromium. */
const headerBytes = 430

type Weight = { script: number; files: number; styles: number }
const weightOf = (program: Program, addresses: Iterable<string>): Weight => {
  const all = [...addresses]
  const bytes = (isCounted: (address: string) => boolean) =>
    sum(all.filter(isCounted).map((address) => bytesOf(address, program) + headerBytes))
  return {
    script: bytes((address) => address.endsWith('.js')),
    files: all.filter((address) => address.endsWith('.js')).length,
    styles: bytes((address) => address.endsWith('.css')),
  }
}

/** Names the pages that are over one of their limits, with their figures. */
const over = (pages: readonly (readonly [name: string, weight: Weight, limit: Weight])[]): string[] =>
  pages
    .filter(([, is, max]) => is.script > max.script || is.files > max.files || is.styles > max.styles)
    .map(([name, is, max]) => `${name}: ${JSON.stringify(is)}, at most ${JSON.stringify(max)}`)

/** The headers come on top of what the script of the home page may weigh. */
const publicLimit = (files: number): Weight => ({
  script: scriptBytesMax.home + files * headerBytes,
  files: 4,
  styles: 20_000,
})

test('every public page starts with few files, few styles, and less script than home, and its own script waits', () => {
  const build = readBuild(root)
  const waiting = entry.publicPages.filter(waitsForReader)
  const pages = waiting.map((route) => ({ route, page: filesOfPage(build, route, 'en') }))
  expect(waiting.length).toBeGreaterThan(15)
  expect(entry.publicPages.filter((route) => !waitsForReader(route)).map(({ name }) => name)).toEqual([
    'home',
    'login.signin',
  ])
  expect(
    over(
      pages.map(({ route, page }) => [
        route.name,
        weightOf('client', [...scriptsOf(page), ...page.styles]),
        publicLimit(scriptsOf(page).length),
      ]),
    ),
  ).toEqual([])
  for (const { page } of pages) {
    expect(scriptsOf(page)).not.toContain(page.page)
    expect(page.styles.length).toBeGreaterThan(0)
  }
})

test('what a member page starts with stands in its document, and is few files', () => {
  const build = readBuild(root)
  const many = entry.memberPages.flatMap((route) => {
    const scripts = scriptsOf(filesOfPage(build, route, 'en'))
    const max =
      route.guard === 'staff'
        ? moreRequests.console
        : route.name === 'kyc'
          ? moreRequests.kyc
          : scriptRequestsMax
    return scripts.length > max ? [`${route.name}: ${scripts.join(' ')}`] : []
  })
  expect(entry.memberPages.length).toBeGreaterThan(4)
  expect(many).toEqual([])
})

/** Parts that a page loads when they are opened, or for few readers. Every other dynamic import counts as a visit. */
const partsOnUse = [
  'account',
  'console-start-part',
  'erasure',
  'link-dialog',
  'order-detail',
  'pending-email',
  'place-order',
  'post-film',
  'post-form',
  'preview-dialog',
  'profile-editor',
  'profile-form',
  'schedule-dialog',
  'upgrade-form',
]

const manifestKey = (build: ReturnType<typeof readBuild>, program: Program, name: string): string => {
  const found = Object.keys(build[program]).find((key) => build[program][key]?.name === name)
  if (!found) throw new Error(`the build has no ${name}`)
  return found
}

/** Everything that a page loads in a first visit: what its document names, its own parts, and the late handlers. */
function loadedWith(build: ReturnType<typeof readBuild>, route: Route): Set<string> {
  const program: Program = route.guard === 'staff' ? 'console' : 'client'
  const manifest = build[program]
  const page = filesOfPage(build, route, 'en')
  const loaded = new Set([...scriptsOf(page), ...page.styles])
  const seen = new Set<string>()
  const add = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    const { file, css = [], imports = [] } = manifest[key]!
    for (const each of [file, ...css]) loaded.add(`/${each}`)
    imports.forEach(add)
  }
  const parts = manifest[`web/${route.file}`]?.dynamicImports ?? []
  parts.filter((key) => !partsOnUse.includes(manifest[key]?.name ?? '')).forEach(add)
  add(manifestKey(build, program, program === 'client' ? 'late' : 'late-handlers'))
  return loaded
}

const accountLimit: Weight = { script: 110_000, files: 10, styles: 20_000 }
/** The security page shows a form at once, whose code is 16 kB in one file, and an ambassador's page draws pictures. */
const accountLimits: Partial<Record<string, Weight>> = {
  'account.ambassador': { script: 114_000, files: 11, styles: 20_000 },
  'account.security': { script: 125_000, files: 11, styles: 20_000 },
  kyc: { script: 141_000, files: 12, styles: 20_000 },
}

test('every account page loads little script, few files, and few styles', () => {
  const build = readBuild(root)
  const pages = entry.memberPages.filter(({ guard }) => guard === 'member')
  expect(pages.length).toBeGreaterThan(6)
  expect(
    over(
      pages.map((route) => [
        route.name,
        weightOf('client', loadedWith(build, route)),
        accountLimits[route.name] ?? accountLimit,
      ]),
    ),
  ).toEqual([])
})

const consoleStartMax: Weight = { script: 180_000, files: 16, styles: 24_000 }
const consoleNextMax: Weight = { script: 25_000, files: 8, styles: 8000 }

test('the console starts with little script, and every further page adds little to it', () => {
  const build = readBuild(root)
  const begun = loadedWith(build, entry.getRoute('console.home'))
  expect(over([['console.home', weightOf('console', begun), consoleStartMax]])).toEqual([])

  const further = entry.memberPages.filter(({ guard, name }) => guard === 'staff' && name !== 'console.home')
  expect(further.length).toBeGreaterThan(40)
  // The list of all pages is loaded on the way to the second one.
  const list = `/${build.console['web/kernel/routes/console-modules.ts']!.file}`
  expect(
    over(
      further.map((route) => {
        const added = [...loadedWith(build, route), list].filter((address) => !begun.has(address))
        return [route.name, weightOf('console', added), consoleNextMax]
      }),
    ),
  ).toEqual([])
})

test('scripts for browsers hold no descriptions of the contract, and no page reads what they leave out', () => {
  const described = createMember.about
  expect(described.length).toBeGreaterThan(40)
  const holding = programs.flatMap((program) =>
    readdirSync(join(programDirectory(root, program), 'assets/app'))
      .filter((file) => file.endsWith('.js'))
      .filter((file) =>
        readFileSync(join(programDirectory(root, program), 'assets/app', file), 'utf8').includes(described),
      ),
  )
  expect(holding).toEqual([])

  const declared = sourcesIn('contract').flatMap((path) =>
    Array.from(
      textOf(path).matchAll(/export const (\w+) = (?:endpoint|resource|bulk)\(/g),
      ([, name]) => name!,
    ),
  )
  expect(declared.length).toBeGreaterThan(200)
  const readsLeftOut = new RegExp(
    `(?<!['"\`.\\w])(?:${declared.join('|')}|endpoint|declared)\\.(?:${onlyForServers.join('|')})\\b`,
  )
  expect(readsLeftOut.test('createMember.output')).toBe(true)
  const readers = sourcesIn('web').filter(
    (path) => !/\.test\.tsx?$/.test(path) && readsLeftOut.test(textOf(path)),
  )
  expect(readers).toEqual([])
})

test.each(['en', 'cn'] as const)(
  'what a phone needs of the home page in %s before it shows is small: text, styles, fonts, poster',
  async (language) => {
    const { html, status } = await entry.render({
      path: '/',
      language,
      call: answeringContent(),
      origin: 'http://localhost',
      appId: defaultAppId,
      filesOf: () => files,
    })
    expect(status).toBe(200)
    const poster = statSync(join(root, 'content/media/films/hero-narrow.avif')).size
    const bytes = [
      brotliCompressSync(html).length,
      ...[...files.styles, ...files.fonts].map((each) => bytesOf(each)),
      poster,
    ]
    expect(files.fonts.length).toBeGreaterThan(0)
    expect(sum(bytes)).toBeLessThanOrEqual(pageBytesMax)
  },
)
