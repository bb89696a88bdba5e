/** Returns the fields of `given` whose value differs from the saved one. */
export function changesOf<Given extends object>(
  saved: { readonly [Name in keyof Given]?: unknown },
  given: Given,
): Partial<Given> {
  const changed = Object.entries(given).filter(([name, value]) => value !== saved[name as keyof Given])
  return Object.fromEntries(changed) as Partial<Given>
}
