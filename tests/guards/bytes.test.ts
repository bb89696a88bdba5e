import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { defaultAppId } from '#contract/people/apps.ts'
import type { BuiltFiles } from '#web/document.ts'
import { answeringContent } from '#tests/setup/site-content.ts'
import type * as Entry from '#web/entry.server.tsx'
import { waitsForReader } from '#web/kernel/routes/route.ts'
import { filesOfPage, programDirectory, readBuild } from '../../serve/built-files.ts'

const root = join(import.meta.dirname, '../..')
const scriptBytesMax = { home: 70_000, 'login.signin': 90_000 }
const pageBytesMax = 150_000
/** The maximum for any page, because each file is a separate request and response. */
const scriptRequestsMax = 10

/**
 * Parts of the account page that are loaded on demand or for few members. Every other dynamic import is loaded on each
 * visit.
 */
const accountPartsOnUse = ['account', 'console-start-part', 'pending-email', 'profile-editor']

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

const bytesOf = (address: string): number => {
  const path = join(client, address)
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
  expect(sum(scriptsOf(page).map(bytesOf))).toBeLessThanOrEqual(scriptBytesMax[name])
})

test('every public page starts with few files and less script than the home page, and its own waits for a reader', () => {
  const build = readBuild(root)
  const waiting = entry.publicPages.filter(waitsForReader)
  const over = waiting.flatMap((route) => {
    const page = filesOfPage(build, route, 'en')
    const scripts = scriptsOf(page)
    const isSmall =
      scripts.length <= 4 &&
      sum(scripts.map(bytesOf)) <= scriptBytesMax.home &&
      !scripts.includes(page.page) &&
      page.styles.length > 0
    return isSmall ? [] : [`${route.name}: ${scripts.join(' ')}`]
  })
  expect(waiting.length).toBeGreaterThan(15)
  expect(entry.publicPages.filter((route) => !waitsForReader(route)).map(({ name }) => name)).toEqual([
    'home',
    'login.signin',
  ])
  expect(over).toEqual([])
})

test('what a page starts with stands in its document, and is few files', () => {
  const build = readBuild(root)
  const many = entry.memberPages.flatMap((route) => {
    const scripts = scriptsOf(filesOfPage(build, route, 'en'))
    return scripts.length > scriptRequestsMax ? [`${route.name}: ${scripts.join(' ')}`] : []
  })
  expect(entry.memberPages.length).toBeGreaterThan(4)
  expect(many).toEqual([])
})

test('the account page asks for few files, also with those that its document does not name', () => {
  const build = readBuild(root)
  const route = entry.getRoute('account.userInfo')
  const scripts = new Set(scriptsOf(filesOfPage(build, route, 'en')))
  const add = (key: string) => {
    const { file, imports = [] } = build.client[key]!
    if (scripts.has(`/${file}`)) return
    scripts.add(`/${file}`)
    imports.forEach(add)
  }
  const later = build.client[`web/${route.file}`]?.dynamicImports ?? []
  const atOnce = later.filter((key) => !accountPartsOnUse.includes(build.client[key]?.name ?? ''))
  atOnce.forEach(add)
  expect(atOnce).toHaveLength(later.length - accountPartsOnUse.length)
  expect([...scripts].slice(scriptRequestsMax)).toEqual([])
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
    const bytes = [brotliCompressSync(html).length, ...[...files.styles, ...files.fonts].map(bytesOf), poster]
    expect(files.fonts.length).toBeGreaterThan(0)
    expect(sum(bytes)).toBeLessThanOrEqual(pageBytesMax)
  },
)
