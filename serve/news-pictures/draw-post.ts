import colours from '#content/colours.json' with { type: 'json' }
import { guilloche, type Guilloche, randomNumbersFrom } from '#web/kernel/brand/guilloche.ts'

type Size = { width: number; height: number }
type Pick = ReturnType<typeof randomNumbersFrom>
/** One line drawn many times, each copy rotated by `twist` degrees and reduced by `shrink` of the first. */
type Layer = { figure: Guilloche; times: number; twist: number; shrink?: number; strength: number }

const whole = { times: 1, twist: 0 }

/**
 * Families of clearly different drawings with radius 300. Each varies with its seed, with numbers of lobes and turns that
 * share no divisor. Repeated lines keep the files small.
 */
const families: ((pick: Pick) => Layer[])[] = [
  // A rim of woven petals around a dial.
  (pick) => {
    const lobes = 6 + pick(5)
    const petals = { inner: 176 + pick(40), outer: 300, lobes, lean: 6 + pick(12), precision: 6 }
    return [
      { figure: petals, times: 18, twist: 360 / lobes / 18, strength: 0.8 },
      { figure: { inner: 120, outer: 160, lobes: 48, turns: 7 }, ...whole, strength: 0.9 },
      {
        figure: { inner: 16, outer: 108, lobes: 16 + pick(4), turns: 5, precision: 6 },
        ...whole,
        strength: 1,
      },
    ]
  },
  // A tunnel that turns as it narrows.
  (pick) => {
    const sides = 3 + pick(5)
    const edge = { inner: 292 - 9 * sides, outer: 312, lobes: 2 * sides, lean: pick(8), precision: 8 }
    return [
      { figure: edge, times: 30, twist: 2 + pick(5), shrink: 0.026, strength: 0.85 },
      {
        figure: { inner: 14, outer: 70, lobes: 9 + 2 * pick(3), turns: 4, precision: 6 },
        ...whole,
        strength: 1,
      },
    ]
  },
  // A scalloped medal: one line with many waves.
  (pick) => {
    const wave = 8 + 2 * pick(4)
    const band = { inner: 150, outer: 300, wave, lobes: 5 * wave, outerDepth: 20 + pick(30), innerDepth: 26 }
    const core = { inner: 24, outer: 132, lobes: 5 + pick(4), lean: 22, precision: 8 }
    return [
      { figure: { ...band, turns: 11, precision: 6 }, ...whole, strength: 0.9 },
      { figure: core, times: 9, twist: 4 + pick(4), shrink: 0.03, strength: 0.9 },
    ]
  },
  // Loops like the links of a chain, in rings.
  (pick) => {
    const lobes = 16 + 2 * pick(5)
    const links = { inner: 236, outer: 300, lobes, turns: 1, lean: 12, precision: 6 }
    return [
      { figure: links, times: 7, twist: 180 / lobes, shrink: 0.115, strength: 0.85 },
      { figure: { inner: 8, outer: 62, lobes: 10 + pick(2), turns: 3, precision: 6 }, ...whole, strength: 1 },
    ]
  },
]

const short = (value: number): string => String(Math.round(value * 1000) / 1000)

function drawLayer({ figure, times, twist, shrink = 0, strength }: Layer, ink: string, id: string): string {
  const path = `<path id="${id}" d="${guilloche(figure)}"/>`
  const copies = Array.from({ length: times - 1 }, (_, at) => {
    const [turn, scale] = [(at + 1) * twist, 1 - (at + 1) * shrink]
    const scaled = scale === 1 ? '' : ` scale(${short(scale)})`
    return `<use href="#${id}" transform="rotate(${short(turn)})${scaled}"/>`
  })
  return `<g stroke="${ink}" opacity="${strength}">${path}${copies.join('')}</g>`
}

/**
 * Draws an SVG for a post without a picture: the same seed gives the same drawing on every machine. `place` is its
 * center, as fractions of the width and height; by default, the seed decides. The SVG contains no text and no styles.
 */
export function drawPost(
  seed: string,
  { width, height }: Size = { width: 960, height: 540 },
  place?: { x: number; y: number; scale: number },
): string {
  const pick = randomNumbersFrom(seed)
  const side = pick(2) ? 0.3 + pick(14) / 100 : 0.56 + pick(14) / 100
  const own = { x: side, y: 0.34 + pick(34) / 100, scale: 1 + pick(40) / 100 }
  const { x, y, scale } = place ?? own
  const inks = [colours.copper.dark, colours.verdigris.dark]
  if (pick(2)) inks.reverse()
  const layers = families[pick(families.length)]!(pick)
  const center = `translate(${short(x * width)} ${short(y * height)}) scale(${short((scale * height) / 540)})`
  const drawn = layers.map((layer, at) =>
    drawLayer(layer, at === 2 ? colours.text.dark : inks[at % 2]!, `l${at}`),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<defs><radialGradient id="g" cx="${short(x)}" cy="${short(y)}" r="0.8">`,
    `<stop offset="0" stop-color="${colours.line.dark}"/><stop offset="1" stop-color="${colours.ground.dark}"/>`,
    '</radialGradient></defs>',
    `<path fill="url(#g)" d="M0 0h${width}v${height}h-${width}z"/>`,
    `<g fill="none" stroke-width="1.1" transform="${center}">${drawn.join('')}</g></svg>`,
  ].join('')
}
