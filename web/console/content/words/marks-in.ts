/** Available everywhere, so texts can use them or not. */
const alwaysKnown = ['{brand}', '{ticker}']

/** Placeholders and tags of a text, in order. */
export const marksIn = (text: string): string[] => text.match(/\{\w+\}|<\/?\w+>/g) ?? []

type MarkProblems = { lacking: string[]; extra: string[] }

/**
 * Placeholders and tags that are missing compared with the file, and unknown ones. Tags are counted; a placeholder can
 * repeat.
 */
export function compareMarks(original: string, text: string): MarkProblems {
  const fixed = marksIn(original).filter((mark) => !alwaysKnown.includes(mark))
  const textMarks = marksIn(text).filter((mark) => !alwaysKnown.includes(mark))
  return { lacking: beyond(fixed, textMarks), extra: beyond(textMarks, fixed) }
}

function beyond(marks: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  const found = marks.filter((mark) => {
    if (mark.startsWith('{')) return !others.includes(mark)
    const at = left.indexOf(mark)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return [...new Set(found)]
}
