import { checkpointDrawing } from './checkpoint-drawing.ts'
import { curveDrawing } from './curve-drawing.ts'

/** Turns Markdown inline text into HTML. */
type Inline = (text: string) => string

type Figure = { caption: string; alt: string; rows: string[][] }

/** Parses `caption:` and `alt:` lines, followed by one row per line with cells separated by `|`. */
function parseFigure(content: string): Figure {
  const figure: Figure = { caption: '', alt: '', rows: [] }
  for (const line of content.trim().split('\n')) {
    const named = /^(caption|alt): (.*)$/.exec(line)
    if (named) figure[named[1] as 'caption' | 'alt'] = named[2]!
    else figure.rows.push(line.split('|').map((cell) => cell.trim()))
  }
  return figure
}

/** One bar divided into shares. Rows are `label | text | share`. */
function split({ rows }: Figure, inline: Inline): string {
  const bar = rows.map(([, , share], at) => `<span class="tone-${at + 1}" style="flex:${share}"></span>`)
  const legend = rows.map(
    ([label, text], at) =>
      `<li><span class="swatch tone-${at + 1}"></span><b>${inline(label!)}</b><span>${inline(text!)}</span></li>`,
  )
  return `<div class="bar">${bar.join('')}</div><ul class="legend">${legend.join('')}</ul>`
}

/** Steps in a row, connected by arrows. Rows are `title | text`. */
function flow({ rows }: Figure, inline: Inline): string {
  const steps = rows.map(([title, text]) => `<li><b>${inline(title!)}</b><span>${inline(text!)}</span></li>`)
  return `<ol class="flow">${steps.join('')}</ol>`
}

/** Nested boxes, the outermost first. Rows are `title | text`. */
function nest({ rows }: Figure, inline: Inline): string {
  return rows.reduceRight(
    (inner, [title, text]) =>
      `<div class="nest"><p><b>${inline(title!)}</b> ${inline(text!)}</p>${inner}</div>`,
    '',
  )
}

/** Large numbers with a label each. Rows are `figure | line`. */
function facts({ rows }: Figure, inline: Inline): string {
  return `<dl class="facts">${rows
    .map(([value, line]) => `<div><dt>${inline(line!)}</dt><dd>${inline(value!)}</dd></div>`)
    .join('')}</dl>`
}

/** Short texts with headings, side by side. Rows are `title | text`. */
function pairs({ rows }: Figure, inline: Inline): string {
  return `<div class="pairs">${rows
    .map(([title, text]) => `<div><h3>${inline(title!)}</h3><p>${inline(text!)}</p></div>`)
    .join('')}</div>`
}

const DRAWINGS: Record<string, (figure: Figure, inline: Inline) => string> = {
  split,
  flow,
  nest,
  facts,
  pairs,
  curve: ({ rows, alt }) => curveDrawing(rows, alt),
  checkpoints: ({ rows, alt }) => checkpointDrawing(rows, alt),
}

/** Renders a `figure <kind>` block of a document as HTML. An unknown kind is rejected. */
export function figure(kind: string, content: string, inline: Inline): string {
  const draw = DRAWINGS[kind]
  if (!draw) throw new Error(`unknown figure "${kind}"`)
  const parsed = parseFigure(content)
  const caption = parsed.caption ? `<figcaption>${inline(parsed.caption)}</figcaption>` : ''
  return `<figure class="figure-${kind}">${draw(parsed, inline)}${caption}</figure>\n`
}
