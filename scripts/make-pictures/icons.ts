import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import colours from '#content/colours.json' with { type: 'json' }

const { ground, copper, icon } = colours

function markSvg(path: string, ink: string, room: number, ground?: string): string {
  const edge = 100 * room
  const tile = ground
    ? `<path fill="${ground}" d="M${-edge} ${-edge}h${2 * edge}v${2 * edge}h${-2 * edge}z"/>`
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-edge} ${-edge} ${2 * edge} ${2 * edge}">${tile}<path fill="${ink}" fill-rule="evenodd" d="${path}"/></svg>`
}

function png(svg: string, size: number): Promise<Buffer> {
  // Rendered large and scaled down, so that the small sizes are smooth.
  return sharp(Buffer.from(svg), { density: 288 })
    .resize(size, size, { kernel: 'lanczos3' })
    .png({ palette: size > 64 })
    .toBuffer()
}

/** An .ico file that contains PNG pictures (supported since Windows Vista, and by every browser). */
function ico(pictures: { size: number; data: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pictures.length, 4)
  let offset = header.length
  pictures.forEach(({ size, data }, index) => {
    const entry = 6 + 16 * index
    header.writeUInt8(size, entry)
    header.writeUInt8(size, entry + 1)
    header.writeUInt16LE(1, entry + 4)
    header.writeUInt16LE(32, entry + 6)
    header.writeUInt32LE(data.length, entry + 8)
    header.writeUInt32LE(offset, entry + 12)
    offset += data.length
  })
  return Buffer.concat([header, ...pictures.map(({ data }) => data)])
}

/** Writes the mark in every format that browsers and home screens request. */
export async function writeIcons(markPath: string, folder: string): Promise<void> {
  // Legible on light and dark browser bars.
  const bare = markSvg(markPath, icon, 1.02)
  // Home screens crop corners. A maskable icon keeps its drawing within the central 80% (W3C Web App Manifest).
  const tile = markSvg(markPath, copper.dark, 1.32, ground.dark)
  const maskable = markSvg(markPath, copper.dark, 1.62, ground.dark)
  const small = await Promise.all([16, 32].map(async (size) => ({ size, data: await png(bare, size) })))
  await writeFile(join(folder, 'favicon.svg'), bare)
  await writeFile(join(folder, 'favicon.ico'), ico(small))
  await writeFile(join(folder, 'apple-touch-icon.png'), await png(tile, 180))
  await writeFile(join(folder, 'icon-192.png'), await png(tile, 192))
  await writeFile(join(folder, 'icon-512.png'), await png(tile, 512))
  await writeFile(join(folder, 'icon-maskable-512.png'), await png(maskable, 512))
}
