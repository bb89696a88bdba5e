import type { Browser, BrowserContext } from 'playwright-core'
import { closeBrowser, openBrowser } from '../../tests/setup/browser.ts'
import { defaultAppId } from '../../contract/people/apps.ts'
import { finishedPage } from '../browser/finished-page.ts'
import { loadPage, type Load } from '../browser/load-page.ts'
import { serveFiles } from '../browser/serve-files.ts'
import { median } from '../measuring/figures.ts'
import type { Scene } from './scene.ts'
import { figureOf, type SingleFigure } from './single-figure.ts'
import type { System } from './systems.ts'

type Enter = (context: BrowserContext) => Promise<void>
type Page = { name: string; path: string; enter?: Enter; scriptsMax: number; filesMax?: number }

/**
 * Size of a page on the wire in kB (of 1000 bytes), and the maximum delay relative to the same page as static files.
 */
const paintMax = 1.2
const shiftMax = 0.02

/** Each load signs in again, because a session belongs to one browser. */
function signedIn({ url }: System, { members, password }: Scene): Enter {
  let n = 0
  return async (context) => {
    const { email, ip } = members[(n += 1)]!
    const answer = await fetch(new URL('/v2/members/login', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-app-id': defaultAppId, 'x-forwarded-for': ip },
      body: JSON.stringify({ email, password }),
    })
    if (answer.status !== 200) throw new Error(`sign-in was answered ${answer.status}`)
    await context.addCookies(answer.headers.getSetCookie().map((text) => cookieOf(text, url)))
  }
}

function cookieOf(text: string, { hostname }: URL) {
  const [pair = '', ...attributes] = text.split(';').map((part) => part.trim())
  const at = pair.indexOf('=')
  const path = attributes.find((each) => /^path=/i.test(each))?.slice('path='.length) ?? '/'
  const httpOnly = attributes.some((each) => /^httponly$/i.test(each))
  return { name: pair.slice(0, at), value: pair.slice(at + 1), domain: hostname, path, httpOnly }
}

export async function measurePages(ours: System, scene: Scene, rounds: number): Promise<SingleFigure[]> {
  const pages: Page[] = [
    { name: 'home', path: '/', scriptsMax: 70 },
    { name: 'sign-in page', path: '/login/signin', scriptsMax: 90, filesMax: 10 },
    {
      name: 'account page',
      path: '/account/user-info',
      enter: signedIn(ours, scene),
      scriptsMax: 90,
      filesMax: 10,
    },
  ]
  const browser = await openBrowser()
  try {
    const contests = []
    for (const page of pages) contests.push(await prepare(browser, ours, page))
    for (let round = 0; round < rounds; round += 1)
      for (const { page, files, loads } of contests) {
        loads.ours.push(
          await loadPage(browser, addressOf(ours, page), { ...(page.enter && { enter: page.enter }) }),
        )
        loads.files.push(await loadPage(browser, files.url))
      }
    for (const { files } of contests) files.close()
    return contests.flatMap(({ page, loads }) => figuresOf(page, loads))
  } finally {
    await closeBrowser()
  }
}

const addressOf = ({ url }: System, { path }: Page) => new URL(path, url).href

/** The first load fills the caches and shows the page's final state. */
async function prepare(browser: Browser, ours: System, page: Page) {
  let html = ''
  const { scripts } = await loadPage(browser, addressOf(ours, page), {
    ...(page.enter && { enter: page.enter }),
    finish: (finished) => (html = finished),
  })
  const files = await serveFiles(ours.url.origin, finishedPage(html, scripts))
  await loadPage(browser, files.url)
  return { page, files, loads: { ours: [] as Load[], files: [] as Load[] } }
}

function figuresOf(
  { name, scriptsMax, filesMax }: Page,
  loads: { ours: Load[]; files: Load[] },
): SingleFigure[] {
  const each = (of: 'paint' | 'shift' | 'bytes' | 'files' | 'scriptBytes' | 'scriptFiles', scale = 1) =>
    loads.ours.map((load) => load[of] / scale)
  const plain = median(loads.files.map(({ paint }) => paint))
  return [
    figureOf(`${name}: scripts, transferred size`, 'kB', each('scriptBytes', 1000), scriptsMax),
    figureOf(`${name}: scripts, number of files`, 'files', each('scriptFiles'), filesMax),
    figureOf(`${name}: total transferred size`, 'kB', each('bytes', 1000)),
    figureOf(`${name}: total number of files`, 'files', each('files')),
    figureOf(`${name}: layout shift`, '', each('shift'), shiftMax),
    figureOf(`${name}: largest paint, slow phone`, 'ms', each('paint')),
    figureOf(
      `${name}: largest paint, static files`,
      'ms',
      loads.files.map(({ paint }) => paint),
    ),
    figureOf(`${name}: ratio of the two times`, '×', each('paint', plain), paintMax),
  ]
}
