import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import subsetFont from 'subset-font'

const { resolve } = createRequire(import.meta.url)
const folder = new URL('../../api/platform/fonts/', import.meta.url).pathname

const fonts: Record<string, string> = {
  'source-sans-3-latin': '@fontsource/source-sans-3/files/source-sans-3-latin-400-normal.woff2',
  'source-sans-3-latin-ext': '@fontsource/source-sans-3/files/source-sans-3-latin-ext-400-normal.woff2',
  'source-sans-3-cyrillic': '@fontsource/source-sans-3/files/source-sans-3-cyrillic-400-normal.woff2',
  'source-sans-3-greek': '@fontsource/source-sans-3/files/source-sans-3-greek-400-normal.woff2',
  'source-sans-3-vietnamese': '@fontsource/source-sans-3/files/source-sans-3-vietnamese-400-normal.woff2',
  'newsreader-latin': '@fontsource/newsreader/files/newsreader-latin-500-normal.woff2',
  'noto-sans-sc': '@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff2',
}

/** All characters of a font, because people's names are not known in advance. */
const everything = Array.from({ length: 0x10000 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .join('')

/** Makes api/platform/fonts, the fonts that the server uses for text on pictures. They are plain TrueType, which Pango reads. */
export async function makeServerFonts(): Promise<void> {
  for (const [name, file] of Object.entries(fonts)) {
    const source = resolve(file)
    const options = { targetFormat: 'sfnt' as const, variationAxes: {} }
    const font = await subsetFont(await readFile(source), everything, options)
    await writeFile(join(folder, `${name}.ttf`), font)
    console.log(`api/platform/fonts/${name}.ttf`, font.length)
    // The Open Font License requires its text to accompany the font.
    const family = file.split('/')[1]!
    await writeFile(
      join(folder, `${family}-licence.txt`),
      await readFile(join(dirname(source), '../LICENSE')),
    )
  }
}
