/**
 * Returns the format that an amount must have: a lone separator before anything but three digits, or after a leading
 * zero, is decimal, and a repeated one separates thousands. `either`: `1,200` may be 1200 or 1.2. Undefined if there is
 * no separator.
 */
export function formatOfAmount(cell: string): 'point' | 'comma' | 'either' | undefined {
  const joined = cell.replaceAll(/(?<=\d)[\s'’](?=\d)/g, '')
  const [number = ''] = /\d[\d.,]*\d/.exec(joined) ?? []
  const separators = number.replaceAll(/\d/g, '')
  const last = separators.at(-1)
  if (last === undefined) return undefined
  const isDecimal = separators.indexOf(last) === separators.length - 1
  if (separators.length === 1 && /^[1-9]\d{0,2}[.,]\d{3}$/.test(number)) return 'either'
  return isDecimal === (last === ',') ? 'comma' : 'point'
}

/** Returns the only format that the amounts can have; undefined if they fit both, or contradict each other. */
export function formatOfAmounts(cells: readonly string[]): 'point' | 'comma' | undefined {
  const formats = new Set(cells.map(formatOfAmount))
  if (formats.has('point') === formats.has('comma')) return undefined
  return formats.has('point') ? 'point' : 'comma'
}
