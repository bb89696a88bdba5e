import { newId } from './autosave.ts'
import { reduce, type Effect, type Event, type State } from './autosave.reducer.ts'

/** Runs the reducer's effects and dispatches the events that result. */
export type Perform = (effect: Effect) => void | Promise<Event | void>

/** Holds the state of one form, its timer, and its running effects. */
export function createAutosaver(initial: State, perform: Perform) {
  let state = initial
  let timer: ReturnType<typeof setTimeout> | undefined
  let underWay: Promise<void> = Promise.resolve()
  const listeners = new Set<(before: State) => void>()

  function dispatch(event: Event): void {
    const before = state
    const [next, ...effects] = reduce(before, event, { now: Date.now(), newId: newId() })
    state = next
    if (next !== before) {
      wait()
      for (const listener of listeners) listener(before)
    }
    for (const effect of effects) run(effect)
  }

  function wait(): void {
    clearTimeout(timer)
    const { dueAt } = state.mine ?? { dueAt: null }
    if (dueAt !== null)
      timer = setTimeout(() => dispatch({ type: 'flush', isLast: false }), dueAt - Date.now())
  }

  function run(effect: Effect): void {
    const follow = (event: Event | void) => event && dispatch(event)
    if (effect.do === 'fill') void perform(effect)
    // Sends start immediately, because a closing page cannot wait. Other effects wait, so that they cannot overtake the
    // sends.
    else if (effect.do === 'send') underWay = Promise.resolve(perform(effect)).then(follow)
    // If the server is unreachable, this happens next time.
    else void underWay.then(() => perform(effect)).then(follow, () => undefined)
  }

  wait()
  return {
    read: () => state,
    subscribe: (listener: (before: State) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    dispatch,
    /** Resolves once the requests in flight are complete, so that none of them can arrive after the next one. */
    settled: () => underWay,
  }
}
