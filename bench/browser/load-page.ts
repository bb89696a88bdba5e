import type { Browser, BrowserContext } from 'playwright-core'

/** What a visitor's browser measured for a page until it was idle. Bytes are counted on the wire, including headers. */
export type Load = {
  /** Time of the largest contentful paint. */
  paint: number
  shift: number
  blocking: number
  bytes: number
  files: number
  scriptBytes: number
  scriptFiles: number
  /** The URLs of all downloaded scripts, in order. */
  scripts: string[]
}

const kbit = 1000 / 8
/** A phone with a processor that is four times slower, on slow 4G. */
const slowdown = 4
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: 1600 * kbit,
  uploadThroughput: 750 * kbit,
}
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
/** Milliseconds without a request after which the page counts as idle, and the maximum time to wait for that. */
const atRest = 1500
const patienceMax = 30_000

/**
 * Loads a page. `enter` prepares the context, for example with someone's cookies. `finish` reads the page when it is
 * idle.
 */
export async function loadPage(
  browser: Browser,
  url: string,
  {
    enter = async () => {},
    finish,
  }: { enter?: (context: BrowserContext) => Promise<void>; finish?: (html: string) => void } = {},
): Promise<Load> {
  const context = await browser.newContext(phone)
  await enter(context)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow4g)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const scripts = new Map<string, string>()
  const counted = { bytes: 0, files: 0, scriptBytes: 0 }
  const wire = { underWay: new Set<string>(), changed: performance.now() }
  const isOver = ({ requestId }: { requestId: string }) => {
    wire.underWay.delete(requestId)
    wire.changed = performance.now()
  }
  devtools.on('Network.requestWillBeSent', ({ requestId }) => wire.underWay.add(requestId))
  devtools.on('Network.loadingFailed', isOver)
  devtools.on('Network.loadingFinished', isOver)
  devtools.on('Network.responseReceived', ({ requestId, response, type }) => {
    if (type === 'Script' || /javascript/.test(response.mimeType)) scripts.set(requestId, response.url)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    counted.bytes += encodedDataLength
    counted.files += 1
    if (scripts.has(requestId)) counted.scriptBytes += encodedDataLength
  })
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
  const patience = performance.now() + patienceMax
  const isAtRest = () => wire.underWay.size === 0 && performance.now() - wire.changed >= atRest
  while (!isAtRest() && performance.now() < patience) await page.waitForTimeout(atRest / 10)
  const seen = await page.evaluate(
    () => (window as unknown as { seen: Pick<Load, 'paint' | 'shift' | 'blocking'> }).seen,
  )
  finish?.(await page.content())
  await context.close()
  return { ...seen, ...counted, scriptFiles: scripts.size, scripts: [...scripts.values()] }
}
