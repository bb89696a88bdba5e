export type Side = 'mine' | 'theirs'
/** A place that both sides changed differently. Undefined means that the value was removed. */
export type ValueConflict = { place: string; mine: unknown; theirs: unknown }
type Merged = { value: unknown; conflicts: ValueConflict[] }

type Entry = { id: string }

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasIds = (value: unknown): value is Entry[] =>
  Array.isArray(value) && value.every((each) => isRecord(each) && typeof each['id'] === 'string')

/** Compares form values, whose fields always have the same order. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Merges two changes of the same value, in lists field by field with entries matched by ID. A change by one side is
 * kept. If both sides changed a value, `choices` decides; mine by default.
 */
export function mergeValues(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  choices: Readonly<Record<string, Side>> = {},
): Merged {
  const conflicts: ValueConflict[] = []
  const value = merge('', base, mine, theirs)
  return { value, conflicts }

  function merge(place: string, was: unknown, my: unknown, their: unknown): unknown {
    if (isSame(my, their) || isSame(their, was)) return my
    if (isSame(my, was)) return their
    if (isRecord(my) && isRecord(their)) return mergeFields(place, isRecord(was) ? was : {}, my, their)
    if (hasIds(my) && hasIds(their)) return mergeEntries(place, hasIds(was) ? was : [], my, their)
    conflicts.push({ place, mine: my, theirs: their })
    return choices[place] === 'theirs' ? their : my
  }

  function mergeFields(
    place: string,
    was: Record<string, unknown>,
    my: Record<string, unknown>,
    their: Record<string, unknown>,
  ): Record<string, unknown> {
    const names = [...new Set([...Object.keys(my), ...Object.keys(their)])]
    const merged = names.map((name) => [name, merge(under(place, name), was[name], my[name], their[name])])
    return Object.fromEntries(merged.filter(([, field]) => field !== undefined)) as Record<string, unknown>
  }

  function mergeEntries(place: string, was: Entry[], my: Entry[], their: Entry[]): unknown[] {
    // The side that moved entries determines their order.
    const isMoved = !isSame(idsOf(my), idsOf(was))
    const order = [...new Set(isMoved ? [...idsOf(my), ...idsOf(their)] : [...idsOf(their), ...idsOf(my)])]
    const of = (entries: Entry[], id: string) => entries.find((entry) => entry.id === id)
    return order
      .map((id) => merge(under(place, id), of(was, id), of(my, id), of(their, id)))
      .filter((entry) => entry !== undefined)
  }
}

const idsOf = (entries: readonly Entry[]): string[] => entries.map(({ id }) => id)
const under = (place: string, step: string): string => (place === '' ? step : `${place}.${step}`)
