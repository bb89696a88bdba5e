import type { ContentShape } from '#contract/publishing/content-shapes.ts'

/** The initial value of a new entry. Optional parts are added when something is typed into them. */
export function blankOf(shape: ContentShape): unknown {
  if (shape.kind === 'object')
    return Object.fromEntries(
      shape.fields
        .filter(({ isOptional }) => !isOptional)
        .map(({ name, shape: of }) => [name, blankOf(of)] as const),
    )
  if (shape.kind === 'list') return [blankOf(shape.item)]
  if (shape.kind === 'named') return {}
  if (shape.kind === 'choice') return shape.options[0]
  if (shape.kind === 'flag') return false
  return shape.kind === 'number' ? 0 : ''
}

/** A new entry of a list, with a unique ID. */
export function newEntry(item: ContentShape, entries: readonly unknown[]): unknown {
  const blank = blankOf(item)
  if (!hasId(blank)) return blank
  const taken = new Set(entries.map((entry) => (hasId(entry) ? entry.id : '')))
  let n = entries.length + 1
  while (taken.has(`new-${n}`)) n += 1
  return { ...blank, id: `new-${n}` }
}

const hasId = (value: unknown): value is { id: string } =>
  typeof value === 'object' && value !== null && 'id' in value

/** Fields that can name an entry. The first one present in the reader's language is used. */
const naming = ['name', 'title', 'label', 'question'] as const

export function entryName(entry: unknown, language: string): string {
  const parts = (entry ?? {}) as Record<string, unknown>
  const words = (parts[language] ?? {}) as Record<string, unknown>
  for (const name of naming) if (typeof words[name] === 'string' && words[name] !== '') return words[name]
  return typeof parts['id'] === 'string' ? parts['id'] : ''
}
