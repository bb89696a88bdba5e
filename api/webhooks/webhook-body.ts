type Event = { id: string; type: string; createdAt: Date; data: unknown }

/** What is sent, the same bytes on every repetition: the database keeps the order of the data’s fields. */
export const bodyOf = ({ id, type, createdAt, data }: Event): string =>
  JSON.stringify({ id, type, createdAt: createdAt.toISOString(), data })
