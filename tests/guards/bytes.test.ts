import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { defaultAppId } from '#contract/apps.ts'
import type { BuiltFiles } from '#web/document.ts'
import type * as Entry from '#web/entry.server.tsx'
import { clientDirectory, filesOfPage, readManifest } from '../../serve/built-files.ts'

const root = join(import.meta.dirname, '../..')
const scriptBytesMax = 85_000
const pageBytesMax = 150_000
const scriptRequestsMax = 8

let files: BuiltFiles
let entry: typeof Entry

const bytesOf = (address: string): number => {
  const content = readFileSync(join(clientDirectory(root), address))
  return address.endsWith('.woff2') ? content.length : brotliCompressSync(content).length
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0)

beforeAll(async () => {
  if (!existsSync(clientDirectory(root)))
    throw new Error('there is no build to weigh: run `npm run build` first')
  entry = (await import(pathToFileURL(join(root, 'dist/server/entry.server.js')).href)) as typeof Entry
  files = filesOfPage(readManifest(root), entry.fileOf('home'))
})

test('the script of the home page stays small before anybody clicks', () => {
  const scripts = [files.languageCheck, files.entry, ...files.modules]
  expect(scripts.length).toBeLessThanOrEqual(scriptRequestsMax)
  expect(sum(scripts.map(bytesOf))).toBeLessThanOrEqual(scriptBytesMax)
})

test.each(['en', 'cn'] as const)(
  'the home page in %s stays small with its styles and fonts',
  async (language) => {
    const { html, status } = await entry.render({
      path: '/',
      language,
      call: () => Promise.reject(new Error('the home page needs no data')),
      origin: 'http://localhost',
      appId: defaultAppId,
      filesOf: () => files,
    })
    expect(status).toBe(200)
    const fonts = new Set(
      files.styles.flatMap((style) => {
        const css = readFileSync(join(clientDirectory(root), style), 'utf8')
        return [...css.matchAll(/url\(([^)]+\.woff2)\)/g)].map((match) => match[1]!)
      }),
    )
    const bytes = [brotliCompressSync(html).length, ...files.styles.map(bytesOf), ...[...fonts].map(bytesOf)]
    expect(fonts.size).toBeGreaterThan(0)
    expect(sum(bytes)).toBeLessThanOrEqual(pageBytesMax)
  },
)
