import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { defaultAppId } from '#contract/people/apps.ts'
import type { Order } from '#contract/money/orders.ts'
import { openBrowser } from './open-browser.ts'
import { startDemo, type Account } from './start-demo.ts'

/*
 * Makes the pictures of the README from a demo: docs/pictures/{home,order,console,identity}.webp. The site must be built.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const pictures = join(root, 'docs/pictures')
const port = 3917
const site = `http://localhost:${port}`
const size = { width: 1280, height: 800 }

async function signIn(browser: Browser, account: Account): Promise<Page> {
  const context = await browser.newContext({ baseURL: site, viewport: size, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto('/login/signin')
  await page.fill('input[type=email]', account.email)
  await page.fill('input[type=password]', account.password)
  await page.press('input[type=password]', 'Enter')
  await page.waitForURL('**/account/account-details')
  return page
}

async function take(page: Page, name: string, clip = size): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1500)
  const file = join(pictures, `${name}.webp`)
  const shot = await page.screenshot({ clip: { x: 0, y: 0, ...clip } })
  await sharp(shot).resize(960).webp({ quality: 72 }).toFile(file)
  console.log(file.slice(root.length), (await stat(file)).size)
}

/** A member with an order that awaits its payment. */
async function findBuyer(finance: Account): Promise<{ email: string; orderId: string }> {
  const post = async <T>(path: string, body: unknown, token = ''): Promise<T> => {
    const headers = { 'content-type': 'application/json', 'x-app-id': defaultAppId, 'x-access-token': token }
    const answer = await fetch(`${site}/v2/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as T
  }
  const { token } = await post<{ token: string }>('members/login', finance)
  const orders = await post<Order[]>('icotx/find', { status: 'pending' }, token)
  const order = orders.find((each) => each.payBefore && !each.txId && !each.disputed)
  if (!order) throw new Error('The demo has no order that awaits its payment.')
  return { email: order.email, orderId: order._id }
}

const dataDir = await mkdtemp(join(tmpdir(), 'readme-pictures-'))
await mkdir(pictures, { recursive: true })
const { child, accounts } = await startDemo(dataDir, port)
try {
  const named = (part: string): Account => {
    const found = [...accounts].find(([title]) => title.includes(part))
    if (!found) throw new Error(`There is no sample account for ${part}: ${[...accounts.keys()].join(', ')}`)
    return found[1]
  }
  const browser = await openBrowser()
  const visitor = await (
    await browser.newContext({ baseURL: site, viewport: size, reducedMotion: 'reduce' })
  ).newPage()
  await visitor.goto('/')
  await take(visitor, 'home')
  // The people in the demo data have the same password as the sample member.
  const buyer = await findBuyer(named('finance 2'))
  const member = await signIn(browser, { email: buyer.email, password: named('member').password })
  await member.goto(`/account/account-details?order=${buyer.orderId}`)
  await take(member, 'order')
  const staff = await signIn(browser, named('admin'))
  await staff.goto('/console')
  await take(staff, 'console')
  await staff.goto('/console/identity')
  await staff.locator('a[href*="case="]').first().click()
  await take(staff, 'identity')
  await browser.close()
} finally {
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  await rm(dataDir, { recursive: true, force: true })
}
