/**
 * The version of a legal text is its date; a second one on the same day is `2026-11-22.2`, so that members are asked
 * again.
 */
const pattern = /^(\d{4}-\d\d-\d\d)(?:\.([2-9]|[1-9]\d{1,2}))?$/

function parse(version: string): { day: string; n: number } | undefined {
  const [, day, n] = pattern.exec(version) ?? []
  if (day === undefined) return undefined
  const date = new Date(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
  return isDay ? { day, n: Number(n ?? 1) } : undefined
}

export const isLegalVersion = (version: string): boolean => parse(version) !== undefined

/** Returns the later of two versions: the files of a newer release may be ahead of what was published, or behind it. */
export function laterVersion(one: string, other: string): string {
  const [a, b] = [parse(one), parse(other)]
  if (!a || !b) return a ? one : other
  return a.day > b.day || (a.day === b.day && a.n >= b.n) ? one : other
}

/** Returns the name of a version created today, which no earlier one had. */
export function nextVersion(current: string, today: string): string {
  const known = parse(current)
  if (!known || known.day < today) return today
  return `${known.day}.${known.n + 1}`
}
