import { isRecord } from '../../../../platform/is-record.ts'

/** Formatting of a value in a file: an object on several lines, or on one. */
type Style = { isBroken: boolean; id: unknown; parts: ReadonlyMap<string | number, Style> }

/** The print width of this repository's formatter. */
const widthMax = 110

/**
 * Formats the value as JSON like the text that it replaces: an object on one line stays there while it fits, so
 * that only changes move, and unchanged parts are identical byte for byte.
 */
export function writeJson(value: unknown, before: string): string {
  return `${write(value, readStyle(before), { indent: 0, column: 0, after: 0 })}\n`
}

/** Where it is written: the indent, the column, and the text that must follow. */
type Place = { indent: number; column: number; after: 0 | 1 }

function write(value: unknown, style: Style | undefined, { indent, column, after }: Place): string {
  const isList = Array.isArray(value)
  if (!isList && !isRecord(value)) return JSON.stringify(value)
  const flat = writeFlat(value)
  if (column + widthOf(flat) + after <= widthMax && !isBroken(value, style)) return flat
  const inner = ' '.repeat(indent + 2)
  const entries: [name: string, each: unknown, style: Style | undefined][] = isList
    ? value.map((each: unknown, at) => ['', each, styleOf(style, each, at)])
    : Object.entries(value).map(([key, each]) => [`${JSON.stringify(key)}: `, each, style?.parts.get(key)])
  const lines = entries.map(([name, each, own], at) => {
    const start = inner + name
    const comma = at < entries.length - 1 ? 1 : 0
    return start + write(each, own, { indent: indent + 2, column: widthOf(start), after: comma })
  })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return `${open}\n${lines.join(',\n')}\n${' '.repeat(indent)}${close}`
}

/** Whether it takes several lines although it would fit on one. */
function isBroken(value: unknown, style: Style | undefined): boolean {
  if (Array.isArray(value)) {
    const isTable = value.length > 1 && value.every((each) => isRecord(each) && Object.keys(each).length > 1)
    return isTable || value.some((each, at) => isBroken(each, styleOf(style, each, at)))
  }
  if (!isRecord(value) || Object.keys(value).length === 0) return false
  // New objects are formatted like most: on several lines.
  if (style?.isBroken ?? true) return true
  return Object.entries(value).some(([key, each]) => isBroken(each, style?.parts.get(key)))
}

/** Finds the style of an entry that may have moved by its ID. */
function styleOf(list: Style | undefined, entry: unknown, at: number): Style | undefined {
  const id = isRecord(entry) ? entry['id'] : undefined
  if (typeof id !== 'string') return list?.parts.get(at)
  return [...(list?.parts.values() ?? [])].find((each) => each.id === id)
}

function writeFlat(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeFlat).join(', ')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const parts = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${writeFlat(each)}`)
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}'
}

/** In columns: a Chinese character takes two. */
function widthOf(text: string): number {
  let width = 0
  for (const letter of text)
    width +=
      /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
        letter,
      )
        ? 2
        : 1
  return width
}

/** Reads the formatting of a JSON text, which was parsed before and is valid. */
function readStyle(text: string): Style {
  let at = 0
  const skip = () => {
    while (/[\s,:]/.test(text[at] ?? '')) at += 1
  }
  const readText = (): string => {
    const begin = at
    at += 1
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at += 1
    return JSON.parse(text.slice(begin, at)) as string
  }
  const read = (): Style & { scalar?: unknown } => {
    skip()
    if (text[at] === '"') return { isBroken: false, id: undefined, parts: new Map(), scalar: readText() }
    const close = { '{': '}', '[': ']' }[text[at] ?? '']
    if (close === undefined) {
      while (/[\w.+-]/.test(text[at] ?? '')) at += 1
      return { isBroken: false, id: undefined, parts: new Map() }
    }
    at += 1
    const isBroken = /^\s*\n/.test(text.slice(at, at + 200))
    const parts = new Map<string | number, Style & { scalar?: unknown }>()
    for (skip(); text[at] !== close; skip()) {
      const name = close === '}' ? readText() : parts.size
      parts.set(name, read())
    }
    at += 1
    return { isBroken, id: parts.get('id')?.scalar, parts }
  }
  return read()
}
