import { callAs, type StepUpOutcome } from '../../kernel/call/caller.ts'
import { createStore, type Store } from '../../kernel/state/create-store.ts'

/** A pending step-up authentication and the function that resolves it. */
type PendingStepUp = { answer: (outcome: StepUpOutcome) => void; answered: Promise<StepUpOutcome> }

type StepUpModule = typeof import('./step-up-dialog.tsx')

/** The dialog component, once it is loaded. */
export const stepUpDialog: Store<StepUpModule | null> = createStore<StepUpModule | null>(null)

export const pendingStepUp: Store<PendingStepUp | null> = createStore<PendingStepUp | null>(null)

/** Asks the member for step-up authentication. Requests that fail at the same time share one dialog. */
function askStepUp(): Promise<StepUpOutcome> {
  const asked = pendingStepUp.get()
  if (asked) return asked.answered
  const { promise: answered, resolve } = Promise.withResolvers<StepUpOutcome>()
  pendingStepUp.set({
    answered,
    answer: (outcome) => {
      pendingStepUp.set(null)
      resolve(outcome)
    },
  })
  import('./step-up-dialog.tsx').then(stepUpDialog.set, () => pendingStepUp.get()?.answer(false))
  return answered
}

callAs({ requestStepUp: askStepUp })
