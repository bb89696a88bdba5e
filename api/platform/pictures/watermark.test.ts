import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { newMark, watermark, watermarkText } from './watermark.ts'

const white = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer()

/** Returns the part of the picture that is no longer white. */
async function marked(picture: Buffer, part: { left: number; top: number; width: number; height: number }) {
  const { data } = await sharp(picture).extract(part).greyscale().raw().toBuffer({ resolveWithObject: true })
  return data.filter((grey) => grey < 235).length / data.length
}

test('every quarter of a picture contains the text', async () => {
  const picture = await watermark(await white(1200, 900), 'Officer One 2026-11-21 13:40')
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 900 })
  for (const [left, top] of [
    [0, 0],
    [600, 0],
    [0, 450],
    [600, 450],
  ] as const) {
    const part = await marked(picture, { left, top, width: 600, height: 450 })
    expect(part).toBeGreaterThan(0.01)
    expect(part).toBeLessThan(0.5)
  }
})

test.each([
  [1, 1],
  [40, 30],
  [3000, 20],
  [20, 3000],
])('a picture of %i by %i keeps its size', async (width, height) => {
  const picture = await watermark(await white(width, height), '<b>A & "B"</b> 王小明')
  expect(await sharp(picture).metadata()).toMatchObject({ width, height })
})

test('draws the text without system fonts, in Latin, Greek, Cyrillic, and Chinese', async () => {
  const folder = await makeTemporary('fonts')
  onTestFinished(() => removeTemporary(folder))
  const none = join(folder, 'none.conf')
  await writeFile(none, `<fontconfig><cachedir>${folder}</cachedir></fontconfig>`)
  // Fonts are read once per process, so this needs a separate one.
  const script = `
    import sharp from 'sharp'
    import { watermark } from ${JSON.stringify(new URL('watermark.ts', import.meta.url).href)}
    const paper = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#fff' } }).png().toBuffer()
    const drawn = {}
    for (const words of ['Officer', 'Ελένη', 'Жанна', '王小明', '李小明', '한국'])
      drawn[words] = (await sharp(await watermark(paper, words)).greyscale().raw().toBuffer()).toString('base64')
    console.log(JSON.stringify(drawn))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '--eval', script],
    { env: { ...process.env, FONTCONFIG_FILE: none }, maxBuffer: 20_000_000 },
  )
  const drawn = Object.entries(JSON.parse(stdout) as Record<string, string>)
  for (const [words, pixels] of drawn) {
    const dark = Buffer.from(pixels, 'base64').filter((grey) => grey < 235).length
    expect([words, dark > 2000]).toEqual([words, true])
  }
  expect(new Set(drawn.map(([, pixels]) => pixels)).size).toBe(drawn.length)
})

test('names the account, and differs with each view', () => {
  const officer = { id: '0198f0a0-1111-7000-8000-000000000006', email: 'officer@example.org' }
  const texts = [1, 2, 3].map(() => watermarkText(officer, newMark()))
  for (const text of texts)
    expect(text).toMatch(/^officer@example\.org\n0198f0a0 · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d · [0-9a-f]{8}$/)
  expect(new Set(texts).size).toBe(3)
})

test('an address made to be unreadable neither shrinks nor reverses the text', () => {
  const id = '0198f0a0-1111-7000-8000-000000000006'
  const text = watermarkText(
    { id, email: `${'\u202e\u200b'.repeat(20)}${'x'.repeat(200)}@example.org` },
    'a1b2c3d4',
  )
  expect(text.split('\n')[0]).toMatch(/^\?{39}…$/)
})
