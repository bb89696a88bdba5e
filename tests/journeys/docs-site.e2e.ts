import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'

const root = resolve(import.meta.dirname, '../..')
const base = '/fork/'
const source = 'https://git.example/team/fork/blob/main'

async function buildSite(): Promise<string> {
  const folder = await makeTemporary('docs-site')
  onTestFinished(() => removeTemporary(folder))
  const { status, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitepress/bin/vitepress.js', 'build', '--outDir', folder],
    { cwd: root, env: { ...process.env, DOCS_BASE: base, DOCS_SOURCE_URL: source }, encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('dead link') as string])
  return folder
}

const idsIn = (html: string) => new Set(Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id))

/** Returns why a link leads nowhere. */
function problemOf(href: string, page: string, texts: ReadonlyMap<string, string>): string | undefined {
  if (href.startsWith(`${source}/`))
    return existsSync(join(root, href.slice(source.length))) ? undefined : 'no such file'
  const url = new URL(href.replaceAll('&amp;', '&'), `https://docs.example${base}${page}`)
  if (url.host !== 'docs.example') return url.hostname === 'git.example' ? 'not in the repository' : undefined
  if (!url.pathname.startsWith(base)) return 'not below the base'
  const path = url.pathname.slice(base.length)
  const text = texts.get(path === '' || path.endsWith('/') ? `${path}index.html` : path)
  if (text === undefined) return path.startsWith('assets/') ? undefined : 'no such page'
  const id = decodeURIComponent(url.hash.slice(1))
  return id === '' || idsIn(text).has(id) ? undefined : 'no such heading'
}

test(
  'the documentation site has no dead link, and loads nothing from elsewhere',
  { tags: ['nightly'] },
  async () => {
    const folder = await buildSite()
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.html'),
    )
    const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]))
    for (const page of ['index.html', 'SECURITY.html', 'docs/index.html', 'docs/how-to/release.html'])
      expect(pages).toContain(page)
    const links = [...texts].flatMap(([page, text]) =>
      Array.from(text.matchAll(/<a [^>]*href="([^"]*)"/g), ([, href]) => ({ page, href: href! })),
    )
    expect(links.filter(({ href }) => href.startsWith(source)).length).toBeGreaterThan(0)
    const dead = links.flatMap(({ page, href }) => {
      const problem = problemOf(href, page, texts)
      return problem ? [`${page}: ${href}: ${problem}`] : []
    })
    expect([...new Set(dead)]).toEqual([])
    const loaded = [...texts.values()].flatMap((text) =>
      Array.from(text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]*)"/g), ([, href]) => href!),
    )
    expect(loaded.length).toBeGreaterThan(pages.length)
    expect(loaded.filter((href) => !href.startsWith(base))).toEqual([])
  },
)
