import { callAs } from '../../kernel/call/caller.ts'
import { createStore, type Store } from '../../kernel/state/create-store.ts'

/** A pending step-up authentication and the function that resolves it. */
type PendingStepUp = { answer: (isConfirmed: boolean) => void; answered: Promise<boolean> }

type StepUpModule = typeof import('./step-up-dialog.tsx')

/** The dialog component, once it is loaded. */
export const stepUpDialog: Store<StepUpModule | null> = createStore<StepUpModule | null>(null)

export const pendingStepUp: Store<PendingStepUp | null> = createStore<PendingStepUp | null>(null)

/**
 * Asks the member for step-up authentication. Resolves to false if they decline. Requests that fail at the same time
 * share one dialog.
 */
function askStepUp(): Promise<boolean> {
  const asked = pendingStepUp.get()
  if (asked) return asked.answered
  const { promise: answered, resolve } = Promise.withResolvers<boolean>()
  pendingStepUp.set({
    answered,
    answer: (isConfirmed) => {
      pendingStepUp.set(null)
      resolve(isConfirmed)
    },
  })
  import('./step-up-dialog.tsx').then(stepUpDialog.set, () => pendingStepUp.get()?.answer(false))
  return answered
}

callAs({ requestStepUp: askStepUp })
