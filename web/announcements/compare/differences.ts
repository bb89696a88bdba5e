import { diffArrays } from 'diff'
import { textBlocksOf, type TextBlock } from './text-blocks.ts'

/** A run of words in a block. `isOwn`: the other side does not have them. */
export type Words = { text: string; isOwn: boolean }
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
