import { guilloche } from '#web/kernel/brand/guilloche.ts'
import { escapeHtml } from './escape-html.ts'

const WIDTH = 360
const HEIGHT = 82
const BLOCKS = 27
const PITCH = WIDTH / BLOCKS
const BLOCK = 9
const TOP = 44
const FIRST_HEIGHT = 1_399_978
const CHECKPOINT_EVERY = 20

/** A row of blocks in which every twentieth has a stamp. Rows are `final | label` and `open | label`. */
export function checkpointDrawing(rows: string[][], alt: string): string {
  const label = new Map(rows.map(([name = '', text = '']) => [name, escapeHtml(text)]))
  const stamp = guilloche({ inner: 30, outer: 100, lobes: 29, turns: 6 })
  const heights = Array.from({ length: BLOCKS }, (_, at) => FIRST_HEIGHT + at)
  const lastStamped = heights.findLastIndex((height) => height % CHECKPOINT_EVERY === 0)
  const left = (at: number) => at * PITCH + (PITCH - BLOCK) / 2
  const middle = (at: number) => (at + 0.5) * PITCH
  const blocks = heights.map((height, at) => {
    const link = at > 0 ? `<path class="link" d="M${left(at)} ${TOP + BLOCK / 2}h${BLOCK - PITCH}"/>` : ''
    const seal =
      height % CHECKPOINT_EVERY === 0
        ? `<path class="stamp" transform="translate(${middle(at)} ${TOP - 15}) scale(.12)" d="${stamp}"/><text x="${middle(at)}" y="9" text-anchor="middle">${height.toLocaleString('en')}</text>`
        : ''
    const state = at <= lastStamped ? 'final' : 'open'
    return `${link}<rect class="${state}" x="${left(at)}" y="${TOP}" width="${BLOCK}" height="${BLOCK}"/>${seal}`
  })
  const bracket = (from: number, to: number, anchor: 'start' | 'end', text = '') => {
    const [start, end] = [left(from), left(to) + BLOCK]
    return `<path class="bracket" d="M${start} ${TOP + 14}v4H${end}v-4"/><text x="${anchor === 'start' ? start : end}" y="${TOP + 30}" text-anchor="${anchor}">${text}</text>`
  }
  return `<svg class="checkpoints" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(alt)}">${blocks.join('')}${bracket(0, lastStamped, 'start', label.get('final'))}${bracket(lastStamped + 1, BLOCKS - 1, 'end', label.get('open'))}</svg>`
}
