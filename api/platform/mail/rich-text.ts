import { escapeHtml } from '../text/escape-html.ts'
import { arrange, dress, type Look, type Part } from './mail-look.ts'

/** A structured value of an email, for the email, the console's frame, and plain text. */
export type RichText = { html: string; framed: string; text: string }

/** The width of the text in pixels. Outlook shows pictures in their own size unless they state a width. */
const textWidth = 518
const widthOf = ({ width }: Element['attributes']): string =>
  Number(width) > 0 ? ` width="${Math.min(Number(width), textWidth)}"` : ''

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

const partOf: Readonly<Record<string, Part>> = {
  p: 'paragraph',
  h2: 'heading',
  h3: 'subheading',
  ul: 'list',
  ol: 'list',
  li: 'item',
  blockquote: 'quotation',
  pre: 'listing',
  img: 'picture',
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

function htmlOf(nodes: readonly Node[], base: string, look: Look): string {
  return nodes
    .map((node) => (typeof node === 'string' ? escapeHtml(node) : elementOf(node, base, look)))
    .join('')
}

function elementOf(element: Element, base: string, look: Look): string {
  const { tag: given, attributes, children } = element
  const tag = headings[given] ?? given
  if (tag === 'br') return '<br>'
  const dressed = look === 'mail' && partOf[tag] ? dress(partOf[tag], look) : ''
  const link = (address: string, inside: string): string =>
    look === 'mail' && address !== ''
      ? `<a href="${escapeHtml(address)}"${dress('link', look)}>${inside}</a>`
      : `<u>${inside}</u>`
  if (isMedia(tag)) {
    const { address, name, isShown } = mediaOf(element, base)
    if (isShown && look === 'mail')
      return `<img src="${escapeHtml(address)}" alt="${escapeHtml(name)}"${widthOf(attributes)}${dressed}>`
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

/** The pictures in sanitized HTML. */
export const picturesIn = (html: string): { src: string; alt: string }[] => {
  const within = (nodes: readonly Node[]): { src: string; alt: string }[] =>
    nodes.flatMap((node) => {
      if (typeof node === 'string') return []
      const { src = '', alt = '' } = node.attributes
      return node.tag === 'img' ? [{ src, alt }] : within(node.children)
    })
  return within(parse(html))
}

const beginningLength = 180

/** Returns the first words of sanitized HTML, without pictures and headings. */
export function beginningOf(html: string): string {
  const wordsIn = (nodes: readonly Node[]): string =>
    nodes
      .map((node) => {
        if (typeof node === 'string') return node
        if (isMedia(node.tag) || headings[node.tag]) return ''
        return `${wordsIn(node.children)}${isBlock(node) ? ' ' : ''}`
      })
      .join('')
  const words = wordsIn(parse(html)).replaceAll(/\s+/g, ' ').trim()
  const letters = [...words]
  return letters.length <= beginningLength ? words : `${letters.slice(0, beginningLength).join('').trim()}…`
}

/** A published item in a list, with a line below its title. Without a summary, it takes up little space. */
export type ListedItem = {
  title: string
  about: string
  link: string
  summary?: string
  picture?: { address: string; alt: string } | undefined
}

export function listText(items: readonly ListedItem[]): RichText {
  return {
    html: items.map(itemOf).join(''),
    framed: items
      .map(({ title, about, summary }) =>
        [`<h2><u>${escapeHtml(title)}</u></h2>`, about, summary]
          .filter(Boolean)
          .map((line, at) => (at === 0 ? line : `<p>${escapeHtml(line!)}</p>`))
          .join(''),
      )
      .join(''),
    text: items
      .map(({ title, about, summary, link }) => [title, about, summary, link].filter(Boolean).join('\n'))
      .join('\n\n'),
  }
}

function itemOf({ title, about, link, summary, picture }: ListedItem): string {
  if (summary === undefined)
    return `<p${dress('paragraph', 'mail')}><a href="${escapeHtml(link)}"${dress('link', 'mail')}>${escapeHtml(title)}</a><br><span${dress('label', 'mail')}>${escapeHtml(about)}</span></p>`
  const to = (inside: string) => `<a href="${escapeHtml(link)}"${dress('link', 'mail')}>${inside}</a>`
  const cover =
    picture &&
    to(
      `<img src="${escapeHtml(picture.address)}" alt="${escapeHtml(picture.alt || title)}" width="${textWidth}"${dress('cover', 'mail')}>`,
    )
  const cells =
    (cover ?? '') +
    `<h2${dress('headline', 'mail')}>${to(escapeHtml(title))}</h2>` +
    `<p${dress('quiet', 'mail')}>${escapeHtml(about)}</p>` +
    (summary ? `<p${dress('paragraph', 'mail')}>${escapeHtml(summary)}</p>` : '')
  return arrange('entry', 'mail', `<tr><td${dress('within', 'mail')}>${cells}</td></tr>`)
}
