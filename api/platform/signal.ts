/** An event source that lets other parts subscribe without the publisher knowing them. */
type Signal<Event> = {
  publish(event: Event): void
  /** Returns a function that ends the subscription. */
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
