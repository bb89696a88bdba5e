import { mkdir, readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import colours from '../content/samples/document-colours.json' with { type: 'json' }
import { fileOfDocument, kindsOfOthers, sampleIdentity, type SampleDocument } from '#demo/kyc-documents.ts'
import { applicantCount, buyerCount, memberNumber } from '#demo/world.ts'
import { openBrowser } from './open-browser.ts'

/* Draws the documents of the people in a demo, in content/samples/documents. They belong to no real country and are
   stamped as samples. */

const FOLDER = new URL('../content/samples/documents/', import.meta.url)
const WIDTH = 760
const HEIGHT = 500

const fontFace = async (family: string, file: string) => {
  const bytes = await readFile(new URL(`../api/platform/fonts/${file}.ttf`, import.meta.url))
  return `@font-face { font-family: ${family}; src: url(data:font/ttf;base64,${bytes.toString('base64')}); font-weight: 100 900 }`
}
const fonts = [await fontFace('Latin', 'source-sans-3-latin'), await fontFace('Han', 'noto-sans-sc')].join(
  '\n',
)

const stamp = `<g transform="rotate(-17 ${WIDTH / 2} ${HEIGHT / 2})" fill="none" stroke="${colours.stamp}" opacity=".55">
  <rect x="105" y="188" width="550" height="124" rx="12" stroke-width="7"/>
  <text x="380" y="276" text-anchor="middle" font-size="78" font-weight="700" fill="${colours.stamp}" stroke="none" letter-spacing="4">SAMPLE 样本</text></g>`

/** A head and shoulders of a fictional person. */
function face(x: number, y: number, size: number, n: number): string {
  const { skins, hairs, shirts } = colours
  const u = size / 100
  return `<g transform="translate(${x} ${y}) scale(${u})">
    <path d="M8 112c0-28 18-38 42-38s42 10 42 38z" fill="${shirts[(n + 1) % 4]}"/>
    <rect x="41" y="58" width="18" height="22" rx="8" fill="${skins[n % 4]}"/>
    <ellipse cx="50" cy="42" rx="23" ry="28" fill="${skins[n % 4]}"/>
    <path d="M26 40c-3-28 14-36 25-36s27 9 23 36c-3-14-10-${12 + (n % 5) * 2}-24-${12 + (n % 5) * 2}s-21 6-24 14z" fill="${hairs[(n * 3) % 4]}"/>
    <circle cx="42" cy="43" r="2.4" fill="${colours.eye}"/><circle cx="58" cy="43" r="2.4" fill="${colours.eye}"/>
    <path d="M43 57q7 ${3 + (n % 3)} 14 0" stroke="${colours.mouth}" stroke-width="2" fill="none"/></g>`
}

/** Fine waves, as on identity documents. */
const waves = (colour: string) =>
  Array.from({ length: 9 }, (_, row) => {
    const y = 56 + row * 46
    return `<path d="M30 ${y}q58 -26 116 0t116 0 116 0 116 0 116 0 116 0" fill="none" stroke="${colour}" stroke-width="1"/>`
  }).join('')

function card(n: number): string {
  const { name, born, country, number } = sampleIdentity(n)
  const field = (y: number, label: string, value: string) =>
    `<text x="270" y="${y}" font-size="15" fill="${colours.label}">${label}</text><text x="270" y="${y + 32}" font-size="29" font-weight="600" fill="${colours.value}">${value}</text>`
  return `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colours.table}"/>
    <rect x="24" y="24" width="712" height="452" rx="26" fill="${colours.card}"/>${waves(colours.wave)}
    <text x="56" y="78" font-size="24" font-weight="700" fill="${colours.heading}" letter-spacing="2">EXAMPLELAND · 示例国</text>
    <text x="704" y="78" font-size="17" text-anchor="end" fill="${colours.heading}">IDENTITY CARD 身份证</text>
    <rect x="56" y="112" width="180" height="230" rx="8" fill="${colours.photo}"/>${face(64, 142, 164, n)}
    ${field(136, 'Name 姓名', name)}${field(206, 'Date of birth 出生日期', born)}${field(276, 'Issued by 签发国', country)}
    ${field(346, 'Number 证件号', number)}
    <text x="56" y="446" font-size="21" fill="${colours.code}" letter-spacing="3" font-family="monospace">IDEXA${'&lt;'.repeat(8)}${String(n).padStart(4, '0')}${'&lt;'.repeat(20)}</text>${stamp}`
}

/** A person who holds a card next to their face. */
const portrait = (n: number) => `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colours.walls[n % 4]}"/>
  <rect x="0" y="390" width="${WIDTH}" height="110" fill="${colours.code}" opacity=".08"/>${face(190, 90, 370, n)}
  <g transform="rotate(6 600 330)"><rect x="500" y="270" width="200" height="126" rx="10" fill="${colours.card}" stroke="${colours.edge}"/>
  <rect x="514" y="296" width="50" height="64" fill="${colours.wave}"/><path d="M578 306h104M578 324h80M578 342h92M514 376h168" stroke="${colours.line}" stroke-width="6"/></g>${stamp}`

/** A bill with an address. */
const letter = (n: number) => `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colours.desk}"/>
  <rect x="120" y="12" width="520" height="500" fill="${colours.paper}"/>
  <text x="160" y="70" font-size="24" font-weight="700" fill="${colours.sender}">${['Example Water', 'Sample Energy', '示例电力公司', 'Example Post Bank'][n % 4]}</text>
  <text x="160" y="108" font-size="16" fill="${colours.address}">${n + 1} Sample Street 示例路 ${n + 1} 号 · Example City 样本市</text>
  ${Array.from({ length: 11 }, (_, row) => `<path d="M160 ${150 + row * 26}h${[430, 410, 440, 180, 430, 360][(row + n) % 6]}" stroke="${colours.text}" stroke-width="9"/>`).join('')}
  <text x="160" y="466" font-size="20" font-weight="600" fill="${colours.total}">Total 合计 ${40 + n * 7}.00</text>${stamp}`

const drawings: Record<SampleDocument, { draw: (n: number) => string; numbers: number[] }> = {
  card: {
    draw: card,
    // The number of the sample member, and those of the applicants and buyers.
    numbers: [memberNumber, ...Array.from({ length: applicantCount + buyerCount }, (_, index) => index + 1)],
  },
  portrait: { draw: portrait, numbers: Array.from({ length: kindsOfOthers }, (_, index) => index) },
  letter: { draw: letter, numbers: Array.from({ length: kindsOfOthers }, (_, index) => index) },
}

await mkdir(FOLDER, { recursive: true })
const browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } })
for (const [kind, { draw, numbers }] of Object.entries(drawings))
  for (const n of numbers) {
    await page.setContent(
      `<style>${fonts} body { margin: 0 } text { font-family: Latin, Han }</style><svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${draw(n)}</svg>`,
    )
    await page.evaluate(() => document.fonts.ready)
    const picture = await sharp(await page.screenshot())
      .resize(640)
      .jpeg({ quality: 38, mozjpeg: true })
      .toBuffer()
    await writeFile(fileOfDocument(kind as SampleDocument, n), picture)
  }
await browser.close()
