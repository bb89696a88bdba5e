import { createServer, get } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { closeBrowser, openBrowser } from '../tests/setup/browser.ts'
import { startProduct } from '../tests/setup/start-product.ts'

/*
 * The home page on an emulated phone (processor four times slower, slow 4G), in turns with the same page as static files
 * and with the least that shows the same: no script, styles inside. Prints medians. `node bench/home-load.ts 9` takes
 * nine rounds.
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

type Kept = { headers: Record<string, string>; body: Buffer }

/** What the product sends, byte by byte, as it sends it to a browser. */
const fetchRaw = (address: string): Promise<Kept> =>
  new Promise((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': 'br' } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const { 'content-type': type = '', 'content-encoding': encoding } = answer.headers
        const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
        resolve({ headers, body: Buffer.concat(chunks) })
      })
    }).on('error', reject)
  })

/** The same bytes as files, from a server that does nothing else. `change` makes another page of the page. */
async function serveFiles(origin: string, change: (html: string) => Promise<string> = async (html) => html) {
  const page = await (await fetch(origin)).text()
  const html = await change(page)
  const kept = new Map<string, Kept>([
    [
      '/',
      {
        headers: { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' },
        body: brotliCompressSync(html),
      },
    ],
  ])
  const server = createServer((request, reply) => {
    const address = request.url ?? '/'
    const known = kept.get(address)
    if (known) reply.writeHead(200, known.headers).end(known.body)
    else
      void fetchRaw(origin + address).then((answer) => {
        kept.set(address, answer)
        reply.writeHead(200, answer.headers).end(answer.body)
      })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return { url: `http://localhost:${address.port}/`, close: () => void server.close() }
}

/** The page without any script, its styles inside: the least that shows the same. */
async function withoutScript(html: string, origin: string): Promise<string> {
  let bare = html.replaceAll(/<script.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, '')
  for (const [tag, address] of html.matchAll(/<link rel="stylesheet" href="([^"]+)"[^>]*>/g)) {
    const css = await (await fetch(origin + address)).text()
    bare = bare.replace(tag, () => `<style>${css.replaceAll('url(./', 'url(/assets/app/')}</style>`)
  }
  return bare
}

const median = (loads: Load[], of: keyof Load): number =>
  loads.map((each) => each[of]).toSorted((one, other) => one - other)[Math.floor(loads.length / 2)]!

const product = await startProduct()
const sites = {
  product: { url: product.url + '/', close: () => {} },
  'the same as files': await serveFiles(product.url),
  'without script, in one file': await serveFiles(product.url, (html) => withoutScript(html, product.url)),
}
const loads = new Map<string, Load[]>(Object.keys(sites).map((name) => [name, []]))
const browser = await openBrowser()
try {
  // The first load fills the caches of each server and is not counted.
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, { url }] of Object.entries(sites)) {
      const seen = await load(browser, url)
      if (round > 0) loads.get(name)!.push(seen)
    }
} finally {
  await closeBrowser()
  for (const { close } of Object.values(sites)) close()
  await product.stop()
}
const ours = loads.get('product')!
console.table(
  Object.fromEntries(
    [...loads].map(([name, seen]) => [
      name,
      {
        'LCP ms': Math.round(median(seen, 'paint')),
        'product / this': (median(ours, 'paint') / median(seen, 'paint')).toFixed(2),
        'blocking ms': Math.round(median(seen, 'blocking')),
        CLS: median(seen, 'shift').toFixed(3),
        'kB in all': Math.round(median(seen, 'bytes') / 1000),
      },
    ]),
  ),
)
