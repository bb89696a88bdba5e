import sharp from 'sharp'

const nothing = { r: 0, g: 0, b: 0, alpha: 0 }
const widthOfLabel = 0.45
const turn = -24

/** The picture with the words all over it, so that a photo of a screen tells whose screen it was. */
export async function watermark(picture: Buffer, words: string): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata()
  const label = await sharp({
    text: {
      text: `<span foreground="#b01818" alpha="42%">${escape(words)}</span>`,
      font: 'sans bold',
      dpi: 220,
      rgba: true,
    },
  })
    .png()
    .toBuffer()
  const sized = await sharp(label)
    .resize({ width: Math.max(16, Math.round(width * widthOfLabel)) })
    .extend({ top: 12, bottom: 12, left: 20, right: 20, background: nothing })
    .png()
    .toBuffer()
  const tile = await sharp(sized).rotate(turn, { background: nothing }).png().toBuffer()
  const fitting = await sharp(tile)
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
  return sharp(picture)
    .composite([{ input: fitting, tile: true }])
    .jpeg({ quality: 85 })
    .toBuffer()
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
