import type { BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Announcement, titleLengthMax } from '#contract/publishing/announcements.ts'
import { goodPassword } from '#tests/builders.ts'
import { hostileHtml } from '#tests/hostile-html.ts'
import {
  makePublisher,
  publisherEmail,
  publisherSettings,
  signInPublisher,
} from '#tests/setup/a-publisher.ts'
import { openBrowser } from '#tests/setup/browser.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const feedSize = 20

let product: Product
let token = ''
/** One post per payload, and one per twenty stored payloads. */
const posts: Announcement[] = []
const gathered: Announcement[] = []

/** Payloads that the API accepts: NUL cannot be stored, and a data URL in a text must be a real picture. */
const payloads = hostileHtml.filter((html) => !/\0|src="data:image\//.test(html))
/** Most payloads are cut in the middle by the summary. */
const filler = 'Filling. '.repeat(162)
const titleOf = (html: string, n: number) =>
  html.length <= titleLengthMax && !/\p{Cc}/u.test(html) ? html : `Payload ${n}`

/** The stored form of the payload. */
const restOf = (post: Announcement) => post.content.slice(post.content.indexOf('</p>') + '</p>'.length)

async function publish(title: string, content: string): Promise<Announcement> {
  const body = { title, content, category: 'News', language: 'en' }
  const answer = await product.post('announcements/create', body, { 'x-access-token': token })
  expect(answer.status).toBe(201)
  return (await answer.json()) as Announcement
}

beforeAll(async () => {
  product = await startOnCopy(publisherSettings)
  await makePublisher(product)
  const signedIn = await product.post('members/login', { email: publisherEmail, password: goodPassword })
  token = ((await signedIn.json()) as { token: string }).token
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

/**
 * An action of hostile HTML: it ran a script, sent a request to another host, or opened a page. `frame` is the name of
 * its frame.
 */
type Attack = { did: string; frame: string }

/**
 * Fires user events: pointer movement, focus, and clicks on everything except harmless links. Runs in the page, in its
 * own scope.
 */
const poke = () => {
  // The HTML may have shadowed functions of the document with elements of its own.
  const find = (inner: Document, selector: string) => [
    ...Document.prototype.querySelectorAll.call(inner, selector),
  ]
  const documentsIn = (inner: Document): Document[] => [
    inner,
    ...find(inner, 'iframe').flatMap((frame) => {
      const { contentDocument } = frame as HTMLIFrameElement
      return contentDocument ? documentsIn(contentDocument) : []
    }),
  ]
  for (const inner of documentsIn(document)) {
    const isSite = find(inner, 'main').length > 0
    for (const element of find(inner, isSite ? 'main *' : '*')) {
      for (const type of ['pointerenter', 'mouseenter', 'mouseover'])
        EventTarget.prototype.dispatchEvent.call(element, new MouseEvent(type))
      const kind = element.namespaceURI?.endsWith('svg') ? SVGElement : HTMLElement
      if (element.namespaceURI?.endsWith('MathML') !== true) kind.prototype.focus.call(element as HTMLElement)
      const isHonest = /^(https?|mailto):/.test((element as { protocol?: string }).protocol ?? '')
      const isOurs =
        isSite && Element.prototype.closest.call(element, 'button, form, summary, [role]') !== null
      if (!isHonest && !isOurs)
        EventTarget.prototype.dispatchEvent.call(element, new MouseEvent('click', { cancelable: true }))
    }
  }
}

/** Long enough for triggered requests to arrive. */
const settled = 150

async function pokeAt(page: Page): Promise<void> {
  await page.evaluate(poke)
  await page.waitForTimeout(settled)
}

/** Each payload in a frame of its own, named by its index in the list. */
const framesOf = (htmls: readonly string[]): string =>
  `<!doctype html><title>Frames</title>${htmls
    .map(
      (html, n) =>
        `<iframe name="${n}" srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
    )
    .join('')}`

/** Records everything forbidden that HTML does on pages of this context from now on. */
async function watchAttacks(context: BrowserContext, url: string): Promise<Attack[]> {
  const attacks: Attack[] = []
  await context.exposeBinding('beacon', ({ frame }, did: string) => {
    attacks.push({ did, frame: outermost(frame) })
  })
  await context.addInitScript(() => {
    const { beacon } = globalThis as unknown as { beacon: (did: string) => void }
    for (const name of ['alert', 'confirm', 'prompt', 'print'])
      Object.defineProperty(globalThis, name, { value: () => beacon(`called ${name}`) })
  })
  await context.route(
    (address) => address.origin !== url && address.protocol.startsWith('http'),
    async (route) => {
      const request = route.request()
      attacks.push({
        did: `asked ${new URL(request.url()).host} for a ${request.resourceType()}`,
        frame: frameOf(() => request.frame()),
      })
      await route.abort()
    },
  )
  context.on('page', (page) => {
    if (context.pages().length > 1) attacks.push({ did: 'opened a page', frame: page.url() })
  })
  return attacks
}

const outermost = (frame: Frame): string => {
  let found = frame
  for (let parent = found.parentFrame(); parent?.parentFrame(); parent = found.parentFrame()) found = parent
  return found.name()
}

/** A request that opens a new page has no frame yet. */
function frameOf(find: () => Frame): string {
  try {
    return outermost(find())
  } catch {
    return ''
  }
}

async function aWatchedPage(options: BrowserContextOptions = {}): Promise<{ page: Page; attacks: Attack[] }> {
  const context = await (await openBrowser()).newContext({ baseURL: product.url, ...options })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(45_000)
  const attacks = await watchAttacks(context, product.url)
  return { page: await context.newPage(), attacks }
}

/** A page with many posts has each button once per post. */
const pressAll = (page: Page, name: string) =>
  page
    .getByRole('button', { name, exact: true })
    .evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()))

/** Enough time for hundreds of frames at once, each with its own requests: twice what they need. */
let arrived = 1000
const enough = 120
const countFired = (attacks: readonly Attack[]) =>
  new Set(attacks.map(({ frame }) => frame).filter(Boolean)).size

/** Shows each payload in a frame of its own, with the given headers, and returns what they do, including delayed effects. */
async function showInFrames(htmls: readonly string[], headers: Record<string, string>): Promise<Attack[]> {
  const { page, attacks } = await aWatchedPage()
  await page.route('**/frames', (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', headers, body: framesOf(htmls) }),
  )
  await page.goto('/frames')
  await pokeAt(page)
  await page.waitForTimeout(arrived)
  return attacks
}

/** Without a Content-Security-Policy, pictures and films on other hosts and YouTube's player are requested. */
const isAllowed = ({ did }: Attack) =>
  /^asked a\.example for a (image|media)$|^asked www\.youtube-nocookie\.com for a document$/.test(did)
const isPlayer = ({ did }: Attack) => did === 'asked www.youtube-nocookie.com for a document'

test('the payloads are hostile: most of them fire in a page without sanitising', async () => {
  const begun = performance.now()
  const attacks = await showInFrames(payloads, {})
  await expect.poll(() => countFired(attacks)).toBeGreaterThan(enough)
  arrived = Math.max(arrived, performance.now() - begun)
  console.info(`${countFired(attacks)} of ${payloads.length} pieces fire in a page without defences`)
})

/** Feeds embed nothing from other hosts; everything else is unchanged. */
const embedsOthers = /<(?:iframe|(?:img|video) src="(?!\/))/

test('payloads posted through the API are the same in the feeds as stored, and embed nothing of others', async () => {
  const { page } = await aWatchedPage()
  const parseAtom = (xml: string) =>
    page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'application/xml')
      const entries = [...parsed.querySelectorAll('entry')].map((entry) => ({
        title: entry.querySelector('title')!.textContent,
        content: entry.querySelector('content')!.textContent,
      }))
      return parsed.querySelector('parsererror') ? [] : entries
    }, xml)
  const read = async (path: string) => (await fetch(product.url + path)).text()
  for (const [n, html] of payloads.entries()) {
    posts.push(await publish(titleOf(html, n), `<p>${filler}${n}</p>${html}`))
    if (posts.length % feedSize !== 0) continue
    const newest = posts
      .slice(-feedSize)
      .reverse()
      .map(({ title, content }) => ({ title, content }))
    const { items } = JSON.parse(await read('/news.json')) as {
      items: { title: string; content_html: string }[]
    }
    const inJson = items.map((item) => ({ title: item.title, content: item.content_html }))
    for (const feed of [inJson, await parseAtom(await read('/news.atom'))]) {
      expect(feed).toHaveLength(newest.length)
      for (const [place, shown] of feed.entries()) {
        const post = newest[place]!
        const content = shown.content.replaceAll(`="${product.url}`, '="')
        expect(content).not.toMatch(embedsOthers)
        if (embedsOthers.test(post.content)) expect(shown.title).toBe(post.title)
        else
          expect({ ...shown, content }).toEqual({
            ...post,
            content: post.content.replaceAll(`="${product.url}`, '="'),
          })
      }
    }
  }
  const rests = posts.map(restOf)
  for (let n = 0; n < rests.length; n += feedSize) {
    const content = rests.slice(n, n + feedSize).join('')
    gathered.push(await publish(`Gathered ${n}`, content))
    expect(gathered.at(-1)!.content).toBe(content)
  }
})

test('each stored payload does nothing, with and without the content policy of the site', async () => {
  const stored = [...new Set(posts.map(restOf))]
  const policy = (await fetch(`${product.url}/news`)).headers.get('content-security-policy')!
  const withPolicy = await showInFrames(stored, { 'content-security-policy': policy })
  expect(withPolicy.filter((attack) => !isPlayer(attack))).toEqual([])
  const without = await showInFrames(stored, {})
  expect(without.filter((attack) => !isAllowed(attack))).toEqual([])
})

test.each([false, true])(
  'the list of hostile posts does nothing, collapsed or expanded, with the content policy ignored: %s',
  async (bypassCSP) => {
    const { page, attacks } = await aWatchedPage({ bypassCSP })
    for (let n = 1; n <= Math.ceil(posts.length / feedSize); n += 1) {
      await page.goto(`/news?page=${n}`)
      await pokeAt(page)
      await pressAll(page, t('news.readMore'))
      await pokeAt(page)
      expect(new URL(page.url()).pathname).toBe('/news')
    }
    expect(attacks).toEqual([])
  },
)

test('the page of a hostile post does nothing', async () => {
  const { page, attacks } = await aWatchedPage()
  for (const post of gathered) {
    await page.goto(`/news/${post.slug}`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(post.title)
    await pokeAt(page)
    expect(new URL(page.url()).pathname).toBe(`/news/${post.slug}`)
  }
  expect(attacks).toEqual([])
})

test('the editor runs nothing of a stored or pasted payload', async () => {
  const { page, attacks } = await aWatchedPage()
  await signInPublisher(page, product, 'en')
  const text = page.getByRole('textbox', { name: t('news.form.content') })
  await page
    .getByRole('button', { name: t('news.edit'), exact: true })
    .first()
    .waitFor()
  await pressAll(page, t('news.edit'))
  await expect.poll(() => text.count()).toBeGreaterThanOrEqual(gathered.length)
  await pokeAt(page)
  await page.goto('/news')
  await page.getByRole('button', { name: t('news.create') }).click()
  for (const html of hostileHtml) {
    await text.focus()
    await page.keyboard.press('Control+A')
    await page.evaluate((pasted) => {
      const data = new DataTransfer()
      data.setData('text/html', pasted)
      document.activeElement!.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, html)
  }
  await pokeAt(page)
  expect(attacks).toEqual([])
})

test('a post that another client made is stored and shown like one from the editor', async () => {
  const ours =
    '<h2>Release</h2><p><strong>Bold</strong> and <em>italic</em>, <a rel="noopener noreferrer nofollow" target="_blank" href="https://example.com/">a link</a></p>' +
    '<ul><li><p>one</p></li></ul><p class="ql-align-center"><span class="ql-color-red">red</span></p>'
  const theirs =
    "<H2>Release</H2>\n<p ONCLICK='x()'><strong>Bold</strong> and <em style=color:red>italic</em>, <A HREF='https://example.com/'>a link</A>" +
    "<ul type=disc><li><p>one</p></li></ul><p CLASS='ql-align-center Mso'><span class=ql-color-red>red</span></p>"
  const made = [await publish('Made here', ours), await publish('Made elsewhere', theirs)]
  const { page } = await aWatchedPage()
  const shown: string[] = []
  for (const post of made) {
    await page.goto(`/news/${post.slug}`)
    shown.push(await page.locator('article div[lang]').innerHTML())
  }
  const plain = (html: string) => html.replaceAll('\n', '')
  expect(plain(shown[1]!)).toBe(plain(shown[0]!))
})
