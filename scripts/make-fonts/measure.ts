import { openBrowser } from '../open-browser.ts'

/** Lengths in units of the font size. */
export type Measures = { width: number; ascent: number; descent: number }

/** Renders `text` in the font of `source` (a CSS src) and measures its width and the font's line metrics. */
export async function measureFonts(
  requests: { source: string; weight: number; weights: string }[],
  text: string,
): Promise<Measures[]> {
  const browser = await openBrowser()
  const page = await browser.newPage()
  const measures = await page.evaluate(
    async ([wanted, sample]) => {
      const pen = document.createElement('canvas').getContext('2d')!
      const size = 1000
      return Promise.all(
        wanted.map(async ({ source, weight, weights }, index) => {
          const face = await new FontFace(`measured-${index}`, source, { weight: weights }).load()
          document.fonts.add(face)
          pen.font = `${weight} ${size}px measured-${index}`
          const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = pen.measureText(sample)
          return {
            width: width / size,
            ascent: fontBoundingBoxAscent / size,
            descent: fontBoundingBoxDescent / size,
          }
        }),
      )
    },
    [requests, text] as const,
  )
  await browser.close()
  return measures
}
