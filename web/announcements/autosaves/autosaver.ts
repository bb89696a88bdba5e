import { newId } from './autosave.ts'
import { reduce, type Effect, type Event, type State } from './autosave.reducer.ts'

/** Does what the reducer asks for, and answers with what follows from it. */
export type Perform = (effect: Effect) => void | Promise<Event | void>

/** Holds the state of one form, its clock, and the effects that are under way. */
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
    // A page that closes waits for nothing; nothing else may overtake an earlier state of the same text.
    else if (effect.do === 'send') underWay = Promise.resolve(perform(effect)).then(follow)
    // What is out of reach now is offered, dropped or compared another day.
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
    /** Resolved once what was under way has its answer, so that it cannot arrive after what follows. */
    settled: () => underWay,
  }
}
