import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type DefaultTheme, type MarkdownOptions } from 'vitepress'

/* The documentation site (`npm run docs:build`), from the texts of the repository. DOCS_BASE is the path at which the site
   is published, and DOCS_SOURCE_URL the URL of the repository's files, to which links to code lead. */

const root = join(import.meta.dirname, '..')
const source = process.env['DOCS_SOURCE_URL']

const isPage = (path: string): boolean =>
  /^(?:docs\/.*|bench\/README|README|CHANGELOG|CODE_OF_CONDUCT|CONTRIBUTING|SECURITY)\.md$/.test(path)

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0]

/** Returns the URL of a link on the site, or nothing if it leads to code whose URL isn't known. */
function addressOf(href: string, from: string): string | undefined {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const path = new URL(href.split('#')[0]!, `file:///${from}`).pathname.slice(1)
  if (isPage(path) || !existsSync(join(root, path))) return href.replace(/README\.md(?=$|#)/, 'index.md')
  return source && `${source}/${path}`
}

/** Adapts the links, which are written for the repository. If a link to code has no URL, its text remains. */
function adaptLinks(md: MarkdownIt): void {
  md.core.ruler.push('adapt-links', ({ tokens, env }) => {
    const { relativePath } = env as { relativePath: string }
    for (const { children } of tokens) {
      let isUnlinked = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const address = addressOf(String(token.attrGet('href')), relativePath)
          isUnlinked = address === undefined
          if (address !== undefined) token.attrSet('href', address)
        }
        if (isUnlinked && token.type.startsWith('link_')) Object.assign(token, { type: 'text', content: '' })
      }
    }
  })
}

/** Names a heading like GitHub and GitLab do, because links to headings must work there, too. */
const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

/** Reads the groups of the table of contents: its headings, and the pages that each lists. */
function readSidebar(): DefaultTheme.SidebarItem[] {
  const parts = readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^##+ /m).slice(1)
  return parts.flatMap((part) => {
    const links = Array.from(part.matchAll(/^(?:\| |- )\[([^\]]+)\]\(([^)]+)\.md\)/gm), ([, text, path]) => ({
      text: text!,
      link: new URL(path!.replace(/README$/, ''), 'file:///docs/').pathname,
    }))
    return links.length > 0 ? [{ text: part.split('\n')[0]!, items: links, collapsed: false }] : []
  })
}

export default defineConfig({
  title: 'Coin site',
  lang: 'en',
  base: process.env['DOCS_BASE'] ?? '/',
  outDir: '.cache/docs-site',
  cacheDir: '.cache/vitepress',
  // Everything but the pages. Hidden folders and installed packages are left out in any case.
  srcExclude: [
    '{api,content,contract,data,demo,deploy,dist,release,scripts,serve,test-results,tests,web}/**',
    'bench/*/**',
    'THIRD-PARTY-NOTICES.md',
  ],
  rewrites: (path) => path.replace(/README\.md$/, 'index.md'),
  ignoreDeadLinks: 'localhostLinks',
  // Not the settings of the product.
  vite: { configFile: false },
  markdown: { config: adaptLinks, anchor: { slugify } },
  themeConfig: {
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    sidebar: [{ text: 'All documentation', link: '/docs/' }, ...readSidebar()],
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
