import { callAs } from '../../call/caller.ts'
import { createStore, type Store } from '../../state/create-store.ts'

/** Somebody is being asked to prove who they are, and answers. */
type StepUpAsked = { answer: (hasProved: boolean) => void; answered: Promise<boolean> }

export const stepUpAsked: Store<StepUpAsked | null> = createStore<StepUpAsked | null>(null)

/** Asks the member to prove themselves again; false when they would rather not. Calls that fail together ask once. */
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
  return answered
}

callAs({ proveAgain: askStepUp })
