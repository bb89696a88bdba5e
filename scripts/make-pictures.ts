import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { markPath } from '../web/brand/mark-path.ts'
import { writeIcons } from './make-pictures/icons.ts'
import { shareFigures } from './make-pictures/share-figures.ts'
import { type Language, SHARE_SIZE, sharePage } from './make-pictures/share-page.ts'
import { inSixteenColours } from './make-pictures/sixteen-colours.ts'
import { openBrowser } from './open-browser.ts'

/* Makes the pictures shown in link previews, content/media/share/<route>-<language>.png, with the titles from
   content/messages, and the icons in content/media/icons. */

const CONTENT = new URL('../content/', import.meta.url).pathname
const SHARE = join(CONTENT, 'media/share')
const ICONS = join(CONTENT, 'media/icons')
const LANGUAGES: Language[] = ['en', 'cn']

async function readJson<Value>(path: string): Promise<Value> {
  return JSON.parse(await readFile(join(CONTENT, path), 'utf8')) as Value
}

const brand = await readJson<{ name: string; ticker: string; tagline: Record<Language, string> }>(
  'brand.json',
)

/** A page's title without the brand's name after it, which the picture shows anyway. */
function titleOf(words: Record<string, string>, route: string): string {
  const title = words[`meta.${route}.title`] ?? words['meta.home.title']!
  return title
    .replace(/ · \{brand\}$/, '')
    .replaceAll('{brand}', brand.name)
    .replaceAll('{ticker}', brand.ticker)
}

await mkdir(SHARE, { recursive: true })
await mkdir(ICONS, { recursive: true })
await writeIcons(markPath, ICONS)

const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
const browser = await openBrowser()
const page = await browser.newPage({ viewport: SHARE_SIZE })
for (const language of LANGUAGES) {
  const words = await readJson<Record<string, string>>(`messages/${language}/meta.json`)
  for (const name of Object.keys(shareFigures)) {
    const title = name === 'site' ? brand.tagline[language] : titleOf(words, name)
    const tagline = name === 'site' ? titleOf(words, 'home') : brand.tagline[language]
    const file = join(folder, 'page.html')
    await writeFile(file, sharePage({ name, language, brand: brand.name, tagline, title }, markPath))
    await page.goto(pathToFileURL(file).href)
    await page.evaluate('document.fonts.ready')
    const picture = join(SHARE, `${name}-${language}.png`)
    await writeFile(picture, await inSixteenColours(await page.screenshot()))
    console.log(picture.slice(CONTENT.length), (await stat(picture)).size)
  }
}
await browser.close()
await rm(folder, { recursive: true })
