import { diffArrays } from 'diff'

/** A run of words in a block. `isOwn`: the other side does not have them. */
export type Words = { text: string; isOwn: boolean }

/** A block of a post as readers see it: a paragraph, heading, list item, or picture. */
type TextBlock = {
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

export type Side = { kind: TextBlock['kind']; words: Words[] }

/** A line of the comparison: the same on both sides, or the text of each side (empty if missing there). */
export type Line =
  | { same: true; kind: TextBlock['kind']; text: string }
  | { same: false; before: Side | null; after: Side | null; isStyleOnly: boolean }

/** With more changes than this, a block is shown as replaced, because a finer comparison would be unreadable. */
const editsMax = 400
/** With more removed and added blocks than this, they are paired by order alone. */
const blockEditsMax = 2000

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
/** Chinese is written without spaces, so the browser's segmenter finds the words. */
const splitWords = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)

/** Which words two texts share. Null if they share too little for a word-by-word comparison. */
export function compareWords(before: string, after: string): { before: Words[]; after: Words[] } | null {
  const changes = diffArrays(splitWords(before), splitWords(after), { maxEditLength: editsMax })
  if (!changes?.some(({ added, removed, value }) => !added && !removed && value.some((word) => word.trim())))
    return null
  const sideOf = (leftOut: 'added' | 'removed'): Words[] =>
    changes
      .filter((change) => !change[leftOut])
      .map(({ value, added, removed }) => ({ text: value.join(''), isOwn: added || removed }))
  return { before: sideOf('added'), after: sideOf('removed') }
}

/** Two versions of a content, line by line. */
export function comparePosts(before: string, after: string): Line[] {
  const lines: Line[] = []
  let removed: TextBlock[] = []
  const [one, other] = [textBlocksOf(before), textBlocksOf(after)]
  const changes = diffArrays(one, other, {
    comparator: (a, b) => a.kind === b.kind && a.html === b.html,
    maxEditLength: blockEditsMax,
  })
  if (!changes) return paired(one, other)
  for (const change of changes) {
    if (change.removed) removed = change.value
    else if (change.added) {
      lines.push(...paired(removed, change.value))
      removed = []
    } else {
      lines.push(...paired(removed, []))
      removed = []
      lines.push(...change.value.map(({ kind, text }): Line => ({ same: true, kind, text })))
    }
  }
  return [...lines, ...paired(removed, [])]
}

/** Pairs the removed and added blocks at one place, in order. */
function paired(before: readonly TextBlock[], after: readonly TextBlock[]): Line[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
    lineOf(before[index] ?? null, after[index] ?? null),
  )
}

function lineOf(before: TextBlock | null, after: TextBlock | null): Line {
  const alone = (block: TextBlock | null): Side | null =>
    block && { kind: block.kind, words: [{ text: block.text, isOwn: true }] }
  const isStyleOnly = before !== null && after !== null && before.text === after.text
  const shared = before && after && compareWords(before.text, after.text)
  return {
    same: false,
    isStyleOnly,
    before: before && shared ? { kind: before.kind, words: shared.before } : alone(before),
    after: after && shared ? { kind: after.kind, words: shared.after } : alone(after),
  }
}

/** Two texts of one line, of which either may be missing. */
export function lineOfTexts(one: string, other: string): Line {
  const shared = compareWords(one, other)
  const whole = (text: string): Side | null =>
    text ? { kind: 'text', words: [{ text, isOwn: true }] } : null
  return {
    same: false,
    isStyleOnly: false,
    before: shared ? { kind: 'text', words: shared.before } : whole(one),
    after: shared ? { kind: 'text', words: shared.after } : whole(other),
  }
}
