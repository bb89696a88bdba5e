type Listener = (topic: string) => void

/** By transaction, what it announced. */
const announced = new WeakMap<object, string[]>()
const listeners = new WeakMap<object, Listener[]>()

/** Called in this very instance before whoever changed something is answered, so that they find what they changed. */
export function onCommitted(db: object, listener: Listener): void {
  listeners.set(db, [...(listeners.get(db) ?? []), listener])
}

export function noteAnnounced(tx: object, topic: string): void {
  // Outside of a transaction it holds already.
  if (listeners.has(tx)) tellCommitted(tx, [topic])
  else announced.set(tx, [...(announced.get(tx) ?? []), topic])
}

/** What was announced in the transaction on that database holds now. */
export function noteCommitted(db: object, tx: object): void {
  tellCommitted(db, announced.get(tx) ?? [])
}

const tellCommitted = (db: object, topics: readonly string[]): void =>
  topics.forEach((topic) => listeners.get(db)?.forEach((listener) => listener(topic)))
