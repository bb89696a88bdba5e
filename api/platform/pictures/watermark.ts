import { randomBytes } from 'node:crypto'
import { drawText } from './draw-text.ts'

const nothing = { r: 0, g: 0, b: 0, alpha: 0 }
const widthOfLabel = 0.45
const turn = -24

const addressMax = 40

/** Creates a mark for one view of one picture, which is also in the audit log entry of that view. */
export const newMark = (): string => randomBytes(4).toString('hex')

/**
 * Identifies the viewer by values they can't choose: their verified address, and the account's ID, because two
 * addresses can look alike. Invisible letters, or ones that change the text direction, become question marks. The time
 * is in UTC.
 */
export function watermarkText({ id, email }: { id: string; email: string }, mark: string): string {
  const address = email.replaceAll(/[^\p{L}\p{N}\p{P}\p{S}]/gu, '?')
  const shown = address.length > addressMax ? `${address.slice(0, addressMax - 1)}…` : address
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ')
  return `${shown}\n${id.slice(0, 8)} · ${time} · ${mark}`
}

/** Repeats the text over the whole picture, so that a photo of a screen shows whose screen it was. */
export async function watermark(picture: Buffer, words: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const { width, height } = await sharp(picture).metadata()
  const label = await drawLabel(words)
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

const drawLabel = (words: string): Promise<Buffer> =>
  drawText(words, { size: 53, color: '#b01818', opacity: '42%' })
