import colours from '#content/colours.json' with { type: 'json' }
import { escapeHtml } from '../text/escape-html.ts'

/** A structured value of an email, for the email, the console's frame, and plain text. */
export type RichText = { html: string; framed: string; text: string }

type Element = { tag: string; attributes: Readonly<Record<string, string>>; children: Node[] }
type Node = string | Element

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' }
const decode = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|amp);/g, (whole, name: string) => entities[name] ?? whole)

const voids = new Set(['br', 'img'])

/** Parses sanitized HTML: it is well-formed, and every attribute is quoted. */
function parse(html: string): Node[] {
  const root: Element = { tag: 'div', attributes: {}, children: [] }
  const open = [root]
  for (const [, isEnd, tag, given = '', text] of html.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>|([^<]+)/g,
  )) {
    const parent = open.at(-1)!
    if (text !== undefined) parent.children.push(decode(text))
    else if (isEnd) {
      if (open.length > 1) open.pop()
    } else {
      const attributes = Object.fromEntries(
        Array.from(given.matchAll(/([\w-]+)="([^"]*)"/g), ([, name, value]) => [name!, decode(value!)]),
      )
      const element = { tag: tag!, attributes, children: [] }
      parent.children.push(element)
      if (!voids.has(tag!)) open.push(element)
    }
  }
  return root.children
}

/** Email clients drop style sheets, so each element has its own style. */
const styles: Record<string, string> = {
  p: 'margin:0 0 16px',
  h2: 'margin:24px 0 8px;font-size:20px;line-height:1.3',
  h3: 'margin:20px 0 8px;font-size:17px;line-height:1.3',
  ul: 'margin:0 0 16px;padding-left:24px',
  ol: 'margin:0 0 16px;padding-left:24px',
  li: 'margin:0 0 6px',
  blockquote: `margin:0 0 16px;padding:0 0 0 14px;border-left:3px solid ${colours.line.light}`,
  pre: 'margin:0 0 16px;white-space:pre-wrap;font:14px/1.5 monospace',
  img: 'display:block;max-width:100%;height:auto;border:0',
  a: `color:${colours.copper.light}`,
}
/** The title of the email is above them. */
const headings: Record<string, string> = { h1: 'h2', h2: 'h2', h3: 'h3', h4: 'h3', h5: 'h3', h6: 'h3' }
const blocks = new Set(['p', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'pre', 'div'])
const inlines = new Set(['strong', 'b', 'em', 'i', 'u', 's', 'del', 'code', 'sub', 'sup'])

/** An absolute address, or an empty text. */
const absolute = (address = '', base: string): string => URL.parse(address, base)?.href ?? ''

/**
 * Pictures on other hosts and films become links, as on the site, so that no other host learns who reads an
 * email.
 */
function mediaOf(
  { tag, attributes }: Element,
  base: string,
): { address: string; name: string; isShown: boolean } {
  const address = absolute(attributes['src'], base)
  const player = /^https:\/\/www\.youtube-nocookie\.com\/embed\/([\w-]{11})/.exec(address)?.[1]
  const isOwn = new URL(base).origin === URL.parse(address)?.origin
  const name = (tag === 'img' ? attributes['alt'] : attributes['title']) ?? ''
  return {
    address: player ? `https://www.youtube.com/watch?v=${player}` : address,
    name: name.trim(),
    isShown: tag === 'img' && isOwn,
  }
}
const isMedia = (tag: string): boolean => ['img', 'iframe', 'video'].includes(tag)

type Look = 'mail' | 'frame'

function htmlOf(nodes: readonly Node[], base: string, look: Look): string {
  return nodes
    .map((node) => (typeof node === 'string' ? escapeHtml(node) : elementOf(node, base, look)))
    .join('')
}

function elementOf(element: Element, base: string, look: Look): string {
  const { tag: given, attributes, children } = element
  const tag = headings[given] ?? given
  if (tag === 'br') return '<br>'
  const dressed = look === 'mail' && styles[tag] ? ` style="${styles[tag]}"` : ''
  const link = (address: string, inside: string): string =>
    look === 'mail' && address !== ''
      ? `<a href="${escapeHtml(address)}" style="${styles['a']}">${inside}</a>`
      : `<u>${inside}</u>`
  if (isMedia(tag)) {
    const { address, name, isShown } = mediaOf(element, base)
    if (isShown && look === 'mail')
      return `<img src="${escapeHtml(address)}" alt="${escapeHtml(name)}"${dressed}>`
    return link(address, escapeHtml(name || address))
  }
  const inside = htmlOf(children, base, look)
  if (tag === 'a') return attributes['href'] ? link(absolute(attributes['href'], base), inside) : inside
  if (!blocks.has(tag) && !inlines.has(tag)) return inside
  const direction = attributes['dir'] === 'rtl' ? ' dir="rtl"' : ''
  return `<${tag}${direction}${dressed}>${inside}</${tag}>`
}

const isBlock = (node: Node): node is Element =>
  typeof node !== 'string' && blocks.has(headings[node.tag] ?? node.tag)

/** Renders paragraphs, with lists and quotations marked as in plain-text emails. */
function textOf(nodes: readonly Node[], base: string, gap = '\n\n'): string {
  const parts: string[] = []
  let line = ''
  const endLine = () => {
    if (line.trim() !== '') parts.push(line.trim())
    line = ''
  }
  for (const node of nodes) {
    if (isBlock(node)) {
      endLine()
      parts.push(blockText(node, base))
    } else line += inlineText(node, base)
  }
  endLine()
  return parts.filter((part) => part !== '').join(gap)
}

function blockText({ tag, children }: Element, base: string): string {
  if (tag === 'ul' || tag === 'ol') {
    const items = children.filter((node) => typeof node !== 'string')
    return items
      .map((item, at) => {
        const mark = tag === 'ol' ? `${at + 1}. ` : '- '
        return mark + textOf(item.children, base, '\n').replaceAll('\n', `\n${' '.repeat(mark.length)}`)
      })
      .join('\n')
  }
  const text = textOf(children, base)
  return tag === 'blockquote' ? text.replaceAll(/^/gm, '> ').replaceAll(/ +$/gm, '') : text
}

function inlineText(node: Node, base: string): string {
  if (typeof node === 'string') return node.replaceAll(/[^\S\n]+/g, ' ')
  const { tag, attributes, children } = node
  if (tag === 'br') return '\n'
  if (isMedia(tag)) {
    const { address, name } = mediaOf(node, base)
    return name ? `[${name}] ${address}` : address
  }
  const inside = children.map((child) => inlineText(child, base)).join('')
  const address = tag === 'a' && attributes['href'] ? absolute(attributes['href'], base) : ''
  const shown = address.replace(/^mailto:/, '')
  return shown === '' || inside.includes(shown) ? inside : `${inside} (${shown})`
}

/** `html` is sanitized; `base` is the address of the page that shows it. */
export function richTextOf(html: string, base: string): RichText {
  const nodes = parse(html)
  return {
    html: htmlOf(nodes, base, 'mail'),
    framed: htmlOf(nodes, base, 'frame'),
    text: textOf(nodes, base),
  }
}

/** One line as a heading of the email. */
export const titleText = (text: string): RichText => {
  const inside = escapeHtml(text)
  return {
    html: `<h1 style="margin:0 0 8px;font-size:24px;line-height:1.25">${inside}</h1>`,
    framed: `<h1>${inside}</h1>`,
    text,
  }
}

/** Published items, each with a link and a line below it. */
export function listText(entries: readonly { title: string; about: string; link: string }[]): RichText {
  const quiet = `color:${colours.textQuiet.light};font-size:14px`
  return {
    html: entries
      .map(
        ({ title, about, link }) =>
          `<p style="${styles['p']}"><a href="${escapeHtml(link)}" style="${styles['a']};font-weight:600">${escapeHtml(title)}</a><br><span style="${quiet}">${escapeHtml(about)}</span></p>`,
      )
      .join(''),
    framed: entries
      .map(({ title, about }) => `<p><u>${escapeHtml(title)}</u><br>${escapeHtml(about)}</p>`)
      .join(''),
    text: entries.map(({ title, about, link }) => [title, about, link].join('\n')).join('\n\n'),
  }
}
