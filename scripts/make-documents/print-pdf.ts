import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openBrowser } from '../open-browser.ts'

type Printer = { print: (html: string) => Promise<Buffer>; close: () => Promise<void> }

/** Prints HTML as a tagged PDF with an outline. The HTML is loaded from a file, so that fonts on disk load too. */
export async function openPrinter(): Promise<Printer> {
  const browser = await openBrowser()
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
