import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { findChromium } from '../../scripts/find-chromium.ts'
import { isFull } from './languages-under-test.ts'

/**
 * A headed Chromium renders two pages of its own for the address bar's popups, which are not used here. The others are
 * those that Playwright disables, because only the last list counts.
 */
const switchedOff = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

const flags = [
  `--disable-features=${switchedOff.join(',')}`,
  // Requests to other hosts reach nobody.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Promise<Browser> | undefined

/** One browser for all test files of a worker. It is closed with the worker. */
export const openBrowser = (): Promise<Browser> => (browser ??= launch())

async function launch(): Promise<Browser> {
  const { path, libraries } = await findChromium()
  return chromium.launch({
    executablePath: path,
    args: flags,
    ...(libraries ? { env: { ...process.env, LD_LIBRARY_PATH: libraries } } : {}),
  })
}

/** For a script that continues without the browser. */
export async function closeBrowser(): Promise<void> {
  const opened = browser
  browser = undefined
  await (await opened)?.close()
}

type ContextOptions = Parameters<Browser['newContext']>[0]

/**
 * A visitor's browser. The test fails when the page logs to its console, violates the Content-Security-Policy, throws,
 * or sends a request to another host. Animations run only in the nightly run, because rendering takes most of a
 * journey's time.
 */
export async function aVisitor(
  url: string,
  options: ContextOptions = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await (
    await openBrowser()
  ).newContext({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: isFull ? 'no-preference' : 'reduce',
    // The offline page would replace the errors that tests expect without a connection.
    serviceWorkers: 'block',
    ...options,
  })
  const complaints: string[] = []
  // Observed but not intercepted, because interception would disable the browser's cache and double the work of each
  // page.
  context.on('request', (request) => {
    const address = new URL(request.url())
    if (address.origin !== url && address.protocol.startsWith('http'))
      complaints.push(`asked ${request.url()}`)
  })
  context.setDefaultTimeout(45_000)
  context.on('console', (message) => {
    // The browser itself logs each response with a status of 400 or above. Tests assert the expected ones themselves.
    const isAnswer = message.text().startsWith('Failed to load resource')
    const isWorker = message.text() === 'Service Worker registration blocked by Playwright'
    if (['error', 'warning'].includes(message.type()) && !isAnswer && !isWorker)
      complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  return { page: await context.newPage(), context }
}
