import type { Browser } from 'playwright-core'
import { closeBrowser, openBrowser } from '../tests/setup/browser.ts'
import { startProduct } from '../tests/setup/start-product.ts'
import { loadPage, type Load } from './browser/load-page.ts'
import { serveFiles } from './browser/serve-files.ts'
import { median } from './measuring/figures.ts'

/* Loads the home page on an emulated phone (four times slower processor, slow 4G), alternating with the same page as
   static files and with the minimum that looks the same: no script, inlined styles. Prints medians. `ROUNDS=9` sets
   the number of rounds. */

const rounds = Number(process.env['ROUNDS'] ?? 7)

/** The page without scripts and with inlined styles: the minimum that looks the same. */
async function withoutScript(html: string, origin: string): Promise<string> {
  let bare = html.replaceAll(/<script.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, '')
  for (const [tag, address] of html.matchAll(/<link rel="stylesheet" href="([^"]+)"[^>]*>/g)) {
    const css = await (await fetch(origin + address)).text()
    bare = bare.replace(tag, () => `<style>${css.replaceAll('url(./', 'url(/assets/app/')}</style>`)
  }
  return bare
}

async function measure(
  browser: Browser,
  sites: Record<string, { url: string }>,
): Promise<Map<string, Load[]>> {
  const loads = new Map<string, Load[]>(Object.keys(sites).map((name) => [name, []]))
  // The first load fills the caches of each server and is not counted.
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, { url }] of Object.entries(sites)) {
      const seen = await loadPage(browser, url)
      if (round > 0) loads.get(name)!.push(seen)
    }
  return loads
}

const product = await startProduct()
const html = await (await fetch(product.url)).text()
const sites = {
  product: { url: product.url + '/', close: () => {} },
  'the same as files': await serveFiles(product.url, html),
  'without script, in one file': await serveFiles(product.url, await withoutScript(html, product.url)),
}
const loads = await measure(await openBrowser(), sites)
await closeBrowser()
for (const { close } of Object.values(sites)) close()
await product.stop()
const middle = (seen: readonly Load[], of: 'paint' | 'blocking' | 'shift' | 'bytes') =>
  median(seen.map((each) => each[of]))
const ours = loads.get('product')!
console.table(
  Object.fromEntries(
    [...loads].map(([name, seen]) => [
      name,
      {
        'LCP ms': Math.round(middle(seen, 'paint')),
        'product / this': (middle(ours, 'paint') / middle(seen, 'paint')).toFixed(2),
        'blocking ms': Math.round(middle(seen, 'blocking')),
        CLS: middle(seen, 'shift').toFixed(3),
        'kB in all': Math.round(middle(seen, 'bytes') / 1000),
      },
    ]),
  ),
)
