/** An officer by ID and name; null without one. */
export const person = (id: string | null, name: string | null): { id: string; name: string } | null =>
  id === null ? null : { id, name: name ?? '' }
