import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { completeLanguages, siteLanguages } from '#contract/platform/languages.ts'
import { screenshotSizes } from '../web/machine-readable/screenshot-sizes.ts'
import { openBrowser } from './open-browser.ts'
import { startDemo } from './start-demo.ts'

/*
 * Makes the screenshots that browsers show when they offer to install the site as an app:
 * content/media/screenshots/<form>-<language>.webp. The site must be built.
 */

const folder = fileURLToPath(new URL('../content/media/screenshots', import.meta.url))
const port = 3918
const site = `http://localhost:${port}`
/** Device pixels per CSS pixel. */
const scales = { wide: 1, narrow: 2 }

const dataDir = await mkdtemp(join(tmpdir(), 'screenshots-'))
await mkdir(folder, { recursive: true })
const { child } = await startDemo(dataDir, port)
try {
  const browser = await openBrowser()
  for (const language of completeLanguages)
    for (const form of ['wide', 'narrow'] as const) {
      const { width, height } = screenshotSizes[form]
      const scale = scales[form]
      const context = await browser.newContext({
        baseURL: site,
        viewport: { width: width / scale, height: height / scale },
        deviceScaleFactor: scale,
        locale: siteLanguages[language].locale,
        reducedMotion: 'reduce',
      })
      await context.addCookies([{ name: 'language', value: language, url: site }])
      const page = await context.newPage()
      await page.goto('/', { waitUntil: 'networkidle' })
      const file = join(folder, `${form}-${language}.webp`)
      await sharp(await page.screenshot())
        .webp({ quality: 70 })
        .toFile(file)
      console.log(file, (await stat(file)).size)
      await context.close()
    }
  await browser.close()
} finally {
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  await rm(dataDir, { recursive: true, force: true })
}
