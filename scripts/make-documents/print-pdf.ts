import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

export type Printer = { print: (html: string) => Promise<Buffer>; close: () => Promise<void> }

/** A headless Chromium that prints HTML as tagged, outlined PDF. Pages are loaded as files, so that fonts on disk load too. */
export async function openPrinter(): Promise<Printer> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const folder = mkdtempSync(join(tmpdir(), 'documents-'))
  const file = join(folder, 'page.html')
  const page = await browser.newPage()
  return {
    async print(html) {
      writeFileSync(file, html)
      await page.goto(pathToFileURL(file).href)
      await page.evaluate('document.fonts.ready')
      return page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true })
    },
    async close() {
      await browser.close()
      rmSync(folder, { recursive: true })
    },
  }
}
