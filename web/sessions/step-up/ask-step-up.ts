import { callAs } from '../../call/caller.ts'
import { createStore, type Store } from '../../state/create-store.ts'

/** A pending step-up authentication and the function that resolves it. */
type StepUpAsked = { answer: (hasProved: boolean) => void; answered: Promise<boolean> }

type Shown = typeof import('./step-up-shown.tsx')

/** The dialog component, once it is loaded. */
export const stepUpShown: Store<Shown | null> = createStore<Shown | null>(null)

export const stepUpAsked: Store<StepUpAsked | null> = createStore<StepUpAsked | null>(null)

/**
 * Asks the member for step-up authentication. Resolves to false if they decline. Requests that fail at the same time
 * share one dialog.
 */
function askStepUp(): Promise<boolean> {
  const asked = stepUpAsked.get()
  if (asked) return asked.answered
  const { promise: answered, resolve } = Promise.withResolvers<boolean>()
  stepUpAsked.set({
    answered,
    answer: (hasProved) => {
      stepUpAsked.set(null)
      resolve(hasProved)
    },
  })
  import('./step-up-shown.tsx').then(stepUpShown.set, () => stepUpAsked.get()?.answer(false))
  return answered
}

callAs({ proveAgain: askStepUp })
