/** Something that happens in one part and that others may want to hear of, without the part knowing them. */
export type Signal<Event> = {
  publish(event: Event): void
  /** Returns what ends it. */
  subscribe(listener: (event: Event) => void): () => void
  isHeard(): boolean
}

export function makeSignal<Event>(): Signal<Event> {
  const listeners = new Set<(event: Event) => void>()
  return {
    publish: (event) => listeners.forEach((listener) => listener(event)),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isHeard: () => listeners.size > 0,
  }
}
