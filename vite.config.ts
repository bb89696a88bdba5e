import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type BuildEnvironmentOptions, type Plugin } from 'vite'
import { slimContract } from './scripts/slim-contract.ts'
import { paletteCss } from './web/kernel/layout/palette-css.ts'

const target = 'baseline-widely-available'
const shortHash = (file: string): string =>
  createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 4)

/**
 * The shortest hash that the bundler accepts for this many files. The entry lists every file name, and hashes do not
 * compress.
 */
const hashed = 'assets/app/[name]-[hash:7]'

/** Inserts the brand colors in place of `@palette` in the style sheets that need them. */
function palette(): Plugin {
  const source = fileURLToPath(new URL('content/colours.json', import.meta.url))
  return {
    name: 'palette',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/(?:kernel\/layout\/tokens|console\/mails\/mail-frame)\.css(?:\?|$)/ },
      handler(css) {
        this.addWatchFile(source)
        return css.replace('@palette;', paletteCss(JSON.parse(readFileSync(source, 'utf8'))))
      },
    },
  }
}

/**
 * Replaces Vite's helper for dynamic imports, which also supports nonces, relative bases, and failing styles and is
 * twice as long as needed here. The styles and modules of a chunk are requested together with it, and a script waits
 * for its styles.
 */
function shortPreload(): Plugin {
  const id = '\0vite/preload-helper.js'
  return {
    name: 'short-preload',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: (found) => (found === id ? preloadHelper : null),
    },
  }
}

const preloadHelper = `
const asked = new Map()
const ask = (file) => {
  const href = '/' + file
  const isStyle = href.endsWith('.css')
  if (document.querySelector('link[href="' + href + '"]') || (!isStyle && asked.has(href))) return asked.get(href)
  const link = document.createElement('link')
  link.rel = isStyle ? 'stylesheet' : 'modulepreload'
  link.href = href
  const loaded = new Promise((resolve, reject) => {
    if (!isStyle) return resolve()
    link.onload = resolve
    link.onerror = () => {
      link.remove()
      asked.delete(href)
      reject(new Error('no ' + href))
    }
  })
  asked.set(href, loaded)
  document.head.append(link)
  return loaded
}
export const __vitePreload = (load, files) => Promise.all((files ?? []).map(ask)).then(load)
`

/** Constants are inlined. */
const optimization = { inlineConst: { mode: 'all' as const, pass: 3 } }

/**
 * Builds a script that must run before the page is painted: a classic script in one file, separate from the page's
 * modules.
 */
function classicScript(source: string): Plugin {
  return {
    name: 'classic-script',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      const result = await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          target,
          write: false,
          modulePreload: false,
          rolldownOptions: { input: source, output: { format: 'iife' }, optimization },
        },
      })
      const [script] = 'output' in result ? result.output : []
      if (script?.type !== 'chunk') this.error(`${source} did not become one script`)
      this.emitFile({
        type: 'asset',
        name: `${script.name}.js`,
        originalFileName: source,
        source: script.code,
      })
    },
  }
}

/**
 * Modules that are used together form one file, so that no page waits for a chain of small requests. The first group
 * that matches a module contains it, along with its imports.
 */
const fileGroups = [
  // Everything that every page starts with.
  { name: 'frame', tags: ['$initial' as const] },
  { name: 'react-dom', test: /node_modules\/(react-dom|scheduler)\// },
  // Code that both forms and API requests need, and controls.
  {
    name: 'basics',
    test: /contract\/(platform\/errors|platform\/patterns)|web\/(kernel\/actions\/(failure|localized|use-action)|kernel\/call\/call-failed|kernel\/forms\/(field-bounds|problem-message)|kernel\/navigation\/unsaved|kernel\/state\/draft-store|kernel\/ui\/(button|dialog|field|form-status|page-head|spinner)\.tsx)/,
  },
  // The server renders these on the first page, so their script is only needed for the next one.
  {
    name: 'frame-parts',
    test: /web\/(kernel\/brand\/(avatar|drawing|guilloche|mark|rosette)|kernel\/layout\/served\/)/,
  },
  { name: 'films', test: /web\/(kernel\/films\/|kernel\/ui\/video\.)/ },
  // Components that only display data, amounts, and what the contract is declared with, which most pages need.
  {
    name: 'shown',
    test: /node_modules\/zod\/|contract\/(money\/token-price|platform\/(decimal|endpoint|fields|resource)\.ts)|web\/(accounts\/use-countdown|kernel\/i18n\/format-(decimal|moment)|conversations\/contact-tag|kernel\/typed-amount|kernel\/problems-of|kernel\/routes\/path-to|kernel\/documents\/|kernel\/layout\/(factor-needed|new-tab-link)|kernel\/make-qr|kernel\/prepare-picture|kernel\/save-file|kernel\/ui\/(address|back-link|copy-text|empty|description-list|link-tabs|loading|page-hero|qr|search-row|table|tag))/,
  },
  // API requests, and navigation, which starts with an API request.
  {
    name: 'calls',
    test: /contract\/(platform\/address|people\/consents|publishing\/content|people\/members|people\/passkeys|people\/sessions)\.ts|web\/(kernel\/actions\/|kernel\/call\/|kernel\/content\/load|deferred-handlers|kernel\/navigation\/(return-url|navigation|load-view|safe)|kernel\/routes\/console-path|kernel\/session\/keep)/,
  },
  {
    name: 'forms',
    test: /node_modules\/(@hookform|react-hook-form)\/|web\/(kernel\/forms\/(?!chain|long|password|repeated)|kernel\/layout\/login-frame|sessions\/(or-line|sign-in\.ts|passkeys\/passkey-b))/,
  },
  // Passwords and email verification of an account.
  { name: 'account', test: /web\/(kernel\/forms\/(password\/|repeated)|kernel\/mailbox\/)/ },
]

/**
 * Photos, blockchain addresses, and fields for them, which are all part of identity verification. The curves are for
 * signatures of posts.
 */
const identityGroup = {
  name: 'identity',
  test: /node_modules\/(@noble\/hashes|@scure)\/|contract\/(platform\/chain-address|people\/kyc-handoff)|web\/(kernel\/forms\/(chain-address|long-text)|kyc\/(accepted|handoff\/phone|photo|send-photo|use-))/,
}

/** Lists of posts, and how posts are declared. */
const newsGroup = {
  name: 'news',
  test: /contract\/publishing\/announcements\.ts|web\/announcements\/(can-publish|card-picture|news-filter|news-list|post-body|post-meta|post-tools|post|use-posts)\.tsx?/,
}

/** The choice of newsletter categories, for visitors and members. */
const newsChoiceGroup = {
  name: 'news-choice',
  test: /contract\/publishing\/newsletter\.ts|web\/kernel\/news-choice\//,
}

/** The section of a member page with its messages, which loads them at once. */
const conversationGroup = {
  name: 'conversations',
  test: /contract\/people\/conversations\.ts|web\/conversations\/(?!contact-tag)/,
}

/** What is around every member page, with the number of unread notifications, and what it shares with their list. */
const memberGroup = {
  name: 'member',
  test: /contract\/platform\/notifications\.ts|web\/(consents\/|member-parts|kernel\/(layout\/(count-badge|member-layout|pending-rights|unread-count)|notifications\/))/,
}

/** What every page loads last. */
const lateGroup = { name: 'late', test: /web\/(late-handlers|kernel\/(offline|shortcuts)\/)/ }

/** Code of console pages, without the editor, which most of them do not need. */
const ofConsole =
  /\/(contract|web)\/(?!announcements\/(compare|editor|form)|.*(?<!\/(?:list|detail))-page\.tsx$)/

/** Code that at least this many console pages share. It is loaded with the first one. */
const consoleGroup = { name: 'desk', test: ofConsole, minShareCount: 4 }

/**
 * Code that few console pages share. Each set of pages has a file of its own, so no page loads the code of others.
 * Files below the threshold (in bytes, before compression) are merged.
 */
const consoleAreas = {
  name: 'area',
  test: ofConsole,
  minShareCount: 2,
  entriesAware: true,
  entriesAwareMergeThreshold: 15_000,
}

/** The bundler lists the pages of an area in the name of its file, which would be longer than the server accepts. */
const shortName = (name: string): string => name.split('~')[0] ?? name

/**
 * Warnings that are switched off: some modules are deliberately imported both dynamically by the entry and statically
 * by pages that need them, and plugin timings are of no interest at startup.
 */
const quietChecks = { ineffectiveDynamicImport: false, bundlerTimings: false }

/**
 * One of the two programs for the browser. They share no file, so code for the console never makes a page of the site
 * larger.
 */
const browserBuild = (program: string, input: string): BuildEnvironmentOptions => ({
  outDir: `dist/${program}`,
  manifest: true,
  rolldownOptions: {
    input,
    optimization,
    checks: quietChecks,
    output: {
      entryFileNames: `${hashed}.js`,
      chunkFileNames: ({ name }) => `${hashed.replace('[name]', shortName(name))}.js`,
      assetFileNames: ({ names: [name = ''] }) =>
        `${hashed.replace('[name]', shortName(parse(name).name))}[extname]`,
      codeSplitting: {
        groups:
          program === 'console'
            ? [...fileGroups, consoleGroup, consoleAreas]
            : [
                ...fileGroups,
                identityGroup,
                memberGroup,
                lateGroup,
                newsChoiceGroup,
                newsGroup,
                conversationGroup,
              ],
      },
    },
  },
})

export default defineConfig(({ command }) => ({
  appType: 'custom',
  publicDir: false,
  // Short names, because each one appears in both the page and its script.
  css: { modules: { generateScopedName: (name, file) => `${name}_${shortHash(file)}` } },
  plugins: [react(), palette(), slimContract(), shortPreload(), classicScript('web/language-check.ts')],
  build: {
    target,
    // The site's Content-Security-Policy forbids data URLs for fonts, and small files can be cached as well as large
    // ones.
    assetsInlineLimit: 0,
  },
  worker: {
    format: 'es',
    // Workers are recognized by this prefix (`serve/headers.ts`).
    rolldownOptions: { output: { entryFileNames: 'assets/app/worker-[name]-[hash:7].js' } },
  },
  // Removes React's data for developer tools from production builds, which makes downloads smaller.
  ...(command === 'build' && { define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } }),
  environments: {
    client: { build: browserBuild('client', 'web/entry.browser.tsx') },
    console: { consumer: 'client', build: browserBuild('console', 'web/entry.console.tsx') },
    ssr: {
      // The built server needs no packages; in development they are used as installed.
      ...(command === 'build' && {
        resolve: { noExternal: true },
        define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      }),
      build: {
        outDir: 'dist/server',
        ssr: true,
        minify: false,
        rolldownOptions: {
          input: 'web/entry.server.tsx',
          checks: quietChecks,
          output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) await builder.build(environment)
    },
  },
}))
