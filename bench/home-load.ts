import { createServer } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { closeBrowser, openBrowser } from '../tests/setup/browser.ts'
import { startProduct } from '../tests/setup/start-product.ts'

/*
 * The home page on an emulated phone (processor four times slower, slow 4G), against the same page as one static file:
 * its HTML with the styles inside and without script. Prints medians. `node bench/home-load.ts 9` takes nine rounds.
 */

type Load = { paint: number; shift: number; blocking: number; bytes: number }

const rounds = Number(process.argv[2] ?? 7)
const kbit = 1000 / 8
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: 1600 * kbit,
  uploadThroughput: 750 * kbit,
}

async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow4g)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.addInitScript(() => {
    const seen = { paint: 0, shift: 0, blocking: 0 }
    Object.assign(window, { seen })
    const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
    watch('largest-contentful-paint', ({ startTime }) => (seen.paint = startTime))
    watch('layout-shift', (entry) => (seen.shift += (entry as PerformanceEntry & { value: number }).value))
    watch('longtask', ({ duration }) => (seen.blocking += Math.max(0, duration - 50)))
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(2500)
  const seen = await page.evaluate(() => (window as unknown as { seen: Omit<Load, 'bytes'> }).seen)
  await context.close()
  return { ...seen, bytes }
}

/** The page as one file, beside the fonts and pictures that it needs, from a server that does nothing else. */
async function serveStatically(origin: string): Promise<{ url: string; close: () => void }> {
  const page = await (await fetch(origin)).text()
  const styles = [...page.matchAll(/<link rel="stylesheet" href="([^"]+)"[^>]*>/g)]
  let html = page.replaceAll(/<script.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, '')
  for (const [tag, address] of styles) {
    const css = await (await fetch(origin + address)).text()
    html = html.replace(tag, () => `<style>${css.replaceAll('url(./', 'url(/assets/app/')}</style>`)
  }
  const body = brotliCompressSync(html)
  const server = createServer((request, reply) => {
    if (request.url === '/') {
      reply.setHeader('content-type', 'text/html; charset=utf-8')
      reply.setHeader('content-encoding', 'br')
      reply.end(body)
      return
    }
    void fetch(origin + request.url).then(async (answer) => {
      reply.setHeader('content-type', answer.headers.get('content-type') ?? '')
      reply.end(Buffer.from(await answer.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return { url: `http://localhost:${address.port}/`, close: () => void server.close() }
}

const median = (loads: Load[], of: keyof Load): number =>
  loads.map((each) => each[of]).toSorted((one, other) => one - other)[Math.floor(loads.length / 2)]!

const product = await startProduct()
const still = await serveStatically(product.url)
const browser = await openBrowser()
const ours: Load[] = []
const theirs: Load[] = []
try {
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await load(browser, product.url + '/'))
    theirs.push(await load(browser, still.url))
  }
} finally {
  await closeBrowser()
  still.close()
  await product.stop()
}
const ratios = ours
  .map(({ paint }, round) => paint / theirs[round]!.paint)
  .toSorted((one, other) => one - other)
console.table({
  product: {
    'LCP ms': median(ours, 'paint'),
    'blocking ms': median(ours, 'blocking'),
    CLS: median(ours, 'shift'),
    'kB in all': median(ours, 'bytes') / 1000,
  },
  'one static file': {
    'LCP ms': median(theirs, 'paint'),
    'blocking ms': median(theirs, 'blocking'),
    CLS: median(theirs, 'shift'),
    'kB in all': median(theirs, 'bytes') / 1000,
  },
})
console.log(
  `LCP ratio: ${ratios[Math.floor(rounds / 2)]!.toFixed(2)} (${ratios.map((each) => each.toFixed(2)).join(' ')})`,
)
