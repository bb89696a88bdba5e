import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type BuildEnvironmentOptions, type Plugin } from 'vite'
import { paletteCss } from './web/layout/palette-css.ts'

const target = 'baseline-widely-available'
const shortHash = (file: string): string =>
  createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 4)

/** The fewest that the bundler takes for so many files: the entry names each of them, and hashes are what does not compress. */
const hashed = 'assets/app/[name]-[hash:7]'

/** Puts the colours of the brand where a style sheet that stands for itself says `@palette`. */
function palette(): Plugin {
  const source = fileURLToPath(new URL('content/colours.json', import.meta.url))
  return {
    name: 'palette',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/(?:layout\/tokens|console\/mails\/mail-frame)\.css(?:\?|$)/ },
      handler(css) {
        this.addWatchFile(source)
        return css.replace('@palette;', paletteCss(JSON.parse(readFileSync(source, 'utf8'))))
      },
    },
  }
}

/**
 * Vite's own helper for dynamic imports also serves nonces, relative bases and failing styles; it is twice as long as all
 * that ours needs: the styles and modules of a chunk are asked for together with it, and a script waits for its styles.
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

/** Constants stand where they are used. */
const optimization = { inlineConst: { mode: 'all' as const, pass: 3 } }

/** A script that must run before the page is painted: classic, in one piece, apart from the modules of the page. */
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
 * What belongs together is one file, so that no page waits for a chain of small ones. The first that names a module takes
 * it, with what it imports.
 */
const fileGroups = [
  // What every page begins with.
  { name: 'frame', tags: ['$initial' as const] },
  { name: 'react-dom', test: /node_modules\/(react-dom|scheduler)\// },
  // What both forms and calls need, and what is pressed.
  {
    name: 'basics',
    test: /contract\/(errors|patterns)|web\/(actions\/(failure|use-action|worded)|call\/call-failed|forms\/(field-bounds|problem-words)|i18n\/field-words|navigation\/unsaved|state\/draft-store|ui\/(button|dialog|field|form-status|page-head|spinner)\.tsx)/,
  },
  // Drawn by the server on the first page; for the next one.
  {
    name: 'frame-parts',
    test: /web\/(brand\/(drawing|guilloche|mark|rosette)|layout\/served\/)/,
  },
  { name: 'films', test: /web\/(films\/|ui\/video\.)/ },
  // What shows and asks nothing.
  {
    name: 'shown',
    test: /web\/(accounts\/use-countdown|documents\/|layout\/(factor-needed|new-tab-link)|make-qr|prepare-picture|save-file|ui\/(empty|description-list|link-tabs|loading|qr|search-row|table|tag))/,
  },
  { name: 'schemas', test: /node_modules\/zod\/|contract\/(endpoint|fields|resource)\.ts/ },
  // Calls of the API, the way to the next page, which begins with one, and what stands around the pages of members.
  {
    name: 'calls',
    test: /contract\/(address|ambassador-profiles|consents|content|kyc|members|passkeys|sessions)\.ts|web\/(actions\/|call\/|consents\/|content\/load|layout\/(member-layout|pending-rights)|deferred-handlers|member-parts|navigation\/(return-url|journey|load-view|safe)|routes\/console-path|session\/keep)/,
  },
  {
    name: 'forms',
    test: /node_modules\/(@hookform|react-hook-form)\/|web\/(forms\/(?!chain|password|repeated)|layout\/login-frame|sessions\/(or-line|sign-in\.ts|passkeys\/passkey-b))/,
  },
  // What is chosen and proved of an account.
  { name: 'account', test: /web\/(forms\/(password\/|repeated)|mailbox\/)/ },
  // Photos and addresses of chains: identity checks ask for both.
  {
    name: 'identity',
    test: /node_modules\/(@noble|@scure)\/|contract\/(chain-address|kyc-handoff)|web\/(forms\/chain-address|kyc\/(accepted|handoff\/phone|photo|send-photo|use-))/,
  },
]

/** Which news come by mail, for visitors and members. */
const newsGroup = { name: 'news-choice', test: /contract\/newsletter\.ts|web\/news-choice\/(?!category)/ }

/** What two of its pages share; but whoever does not write needs nothing of the editor. */
const consoleGroup = {
  name: 'desk',
  test: /\/(contract|web)\/(?!announcements\/(compare|editor|form)|.*-page\.tsx$)/,
  minShareCount: 2,
}

/**
 * What the builder need not remark on: some modules are imported late by the entry and at once by pages that need them, on purpose; and how long
 * a plugin took is of interest to nobody who starts the program.
 */
const quietChecks = { ineffectiveDynamicImport: false, bundlerTimings: false }

/** One of the two programs of the browser. They share no file: what the console needs never makes a page of the site larger. */
const browserBuild = (program: string, input: string): BuildEnvironmentOptions => ({
  outDir: `dist/${program}`,
  manifest: true,
  rolldownOptions: {
    input,
    optimization,
    checks: quietChecks,
    output: {
      entryFileNames: `${hashed}.js`,
      chunkFileNames: `${hashed}.js`,
      assetFileNames: `${hashed}[extname]`,
      codeSplitting: {
        groups: program === 'console' ? [...fileGroups, consoleGroup] : [...fileGroups, newsGroup],
      },
    },
  },
})

export default defineConfig(({ command }) => ({
  appType: 'custom',
  publicDir: false,
  // Short, because each stands in the page and in its script.
  css: { modules: { generateScopedName: (name, file) => `${name}_${shortHash(file)}` } },
  plugins: [react(), palette(), shortPreload(), classicScript('web/language-check.ts')],
  build: {
    target,
    // The site's policy allows no data: fonts, and small files cache as well as large ones.
    assetsInlineLimit: 0,
  },
  worker: {
    format: 'es',
    // By this they are known to be workers (`serve/headers.ts`).
    rolldownOptions: { output: { entryFileNames: 'assets/app/worker-[name]-[hash:7].js' } },
  },
  // What React tells the developer tools of a browser takes room on every visitor's wire.
  ...(command === 'build' && { define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } }),
  environments: {
    client: { build: browserBuild('client', 'web/entry.browser.tsx') },
    console: { consumer: 'client', build: browserBuild('console', 'web/entry.console.tsx') },
    ssr: {
      // The built server needs no packages; in development they are taken as they are.
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
