import { setTimeout } from 'node:timers/promises'
import { syllables } from '../installation/posts.ts'
import { figureOf, type SingleFigure } from './single-figure.ts'
import type { System } from './systems.ts'

/**
 * Each request comes from another client, because the program limits how many new pages one client can make it render.
 */
let client = 0
const aClient = () => `10.2.${(client += 1) >> 8}.${client & 255}`

async function load(url: URL, path: string): Promise<number> {
  const begun = performance.now()
  const headers = { 'x-forwarded-for': aClient(), 'accept-encoding': 'br' }
  const answer = await fetch(new URL(path, url), { headers })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`)
  return performance.now() - begun
}

/** Words that occur in many posts. */
const aWord = (n: number) =>
  syllables[n % syllables.length]! + syllables[Math.floor(n / syllables.length) % syllables.length]!

const kinds: Record<string, (n: number) => string> = {
  'news search, not cached': (n) => `/news?q=${aWord(n)}`,
  'older news page, not cached': (n) => `${n % 2 ? '/cn' : ''}/news?page=${2 + Math.floor(n / 2)}`,
}
const pageMax = 15
const atOnce = 4

/** A page that nobody has requested yet: by a single visitor, and by several at the same time. */
export async function measureFirstTimePages({ url }: System, loads: number): Promise<SingleFigure[]> {
  const figures: SingleFigure[] = []
  for (const [name, pathOf] of Object.entries(kinds)) {
    let n = 0
    const warmUp = 5
    const alone: number[] = []
    for (let turn = 0; turn < loads + warmUp; turn += 1) {
      const ms = await load(url, pathOf((n += 1)))
      if (turn >= warmUp) alone.push(ms)
      // The program pauses between two such pages for as long as the first one took.
      await setTimeout(2 * ms)
    }
    const together: number[] = []
    for (let burst = 0; burst < Math.ceil(loads / atOnce); burst += 1) {
      const times = await Promise.all(Array.from({ length: atOnce }, () => load(url, pathOf((n += 1)))))
      together.push(...times)
      await setTimeout(Math.max(...times))
    }
    figures.push(figureOf(name, 'ms', alone, pageMax), figureOf(`${name}, ${atOnce} at once`, 'ms', together))
  }
  return figures
}
