/** A block of a post as readers see it: a paragraph, heading, list item, or picture. */
export type TextBlock = {
  kind: 'text' | 'heading' | 'item' | 'quote' | 'code' | 'picture' | 'video'
  /** The text; for a picture its description, for a video its address. */
  text: string
  /** Its HTML, because two blocks with the same text can still look different. */
  html: string
}

const blockTags: Readonly<Record<string, TextBlock['kind']>> = {
  p: 'text',
  div: 'text',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  li: 'item',
  blockquote: 'quote',
  pre: 'code',
}
const frames = new Set(['ul', 'ol'])
const whole = new Set(['img', 'video', 'iframe'])

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  amp: '&',
  nbsp: ' ',
  '#39': "'",
}
const decode = (html: string): string =>
  html.replaceAll(/&(lt|gt|quot|amp|nbsp|#39);/g, (entity, name: string) => entities[name] ?? entity)

const attributeOf = (tag: string, name: string): string =>
  decode(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/**
 * Returns the blocks of a post in order. Parses only what the editor and server write: well-formed tags and quoted
 * attributes.
 */
export function textBlocksOf(html: string): TextBlock[] {
  const blocks: TextBlock[] = []
  const kinds: TextBlock['kind'][] = []
  let open = ''
  const flush = () => {
    const kind = kinds.findLast((each) => each !== 'text') ?? 'text'
    const text = decode(open.replaceAll(/<br\s*\/?>/g, '\n').replaceAll(/<[^>]*>/g, ''))
    if (text.trim()) blocks.push({ kind, text: kind === 'code' ? text : text.trim(), html: open.trim() })
    open = ''
  }
  for (const [piece, closing, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+|</gi)) {
    const tag = name.toLowerCase()
    if (whole.has(tag)) {
      if (closing) continue
      flush()
      blocks.push(frameOf(tag, piece))
    } else if (Object.hasOwn(blockTags, tag)) {
      flush()
      if (closing) kinds.pop()
      else {
        kinds.push(blockTags[tag]!)
        // The formatting of a whole block is in its own tag.
        open = /\s/.test(piece) ? piece : ''
      }
    } else if (frames.has(tag)) flush()
    else open += piece
  }
  flush()
  return blocks
}

const frameOf = (tag: string, html: string): TextBlock =>
  tag === 'img'
    ? { kind: 'picture', text: attributeOf(html, 'alt') || attributeOf(html, 'src'), html }
    : { kind: 'video', text: attributeOf(html, 'title') || attributeOf(html, 'src'), html }
