type Listener = (topic: string) => void

/** Announced topics by transaction. */
const announced = new WeakMap<object, string[]>()
const listeners = new WeakMap<object, Listener[]>()

/** Called in this instance before the caller of a change is answered, so that they see their own change. */
export function onCommitted(db: object, listener: Listener): void {
  listeners.set(db, [...(listeners.get(db) ?? []), listener])
}

export function recordAnnounced(tx: object, topic: string): void {
  // Outside a transaction the change is already committed.
  if (listeners.has(tx)) notifyCommitted(tx, [topic])
  else announced.set(tx, [...(announced.get(tx) ?? []), topic])
}

/** Delivers the announcements of a committed transaction. */
export function recordCommitted(db: object, tx: object): void {
  notifyCommitted(db, announced.get(tx) ?? [])
}

const notifyCommitted = (db: object, topics: readonly string[]): void =>
  topics.forEach((topic) => listeners.get(db)?.forEach((listener) => listener(topic)))
