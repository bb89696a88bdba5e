import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type BuildEnvironmentOptions, type Plugin } from 'vite'
import { paletteCss } from './web/layout/palette-css.ts'

const target = 'baseline-widely-available'
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
          rolldownOptions: { input: source, output: { format: 'iife' } },
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

/** One of the two programs of the browser. They share no file: what the console needs never makes a page of the site larger. */
const browserBuild = (program: string, input: string): BuildEnvironmentOptions => ({
  outDir: `dist/${program}`,
  manifest: true,
  rolldownOptions: {
    input,
    output: {
      entryFileNames: `${hashed}.js`,
      chunkFileNames: `${hashed}.js`,
      assetFileNames: `${hashed}[extname]`,
      // What every page begins with is one file, so that no page waits for a chain of small ones.
      codeSplitting: {
        groups: [
          { name: 'frame', tags: ['$initial'] },
          { name: 'react-dom', test: /node_modules\/(react-dom|scheduler)\// },
        ],
      },
    },
  },
})

export default defineConfig(({ command }) => ({
  appType: 'custom',
  publicDir: false,
  plugins: [react(), palette(), classicScript('web/language-check.ts')],
  build: {
    target,
    // The site's policy allows no data: fonts, and small files cache as well as large ones.
    assetsInlineLimit: 0,
  },
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
