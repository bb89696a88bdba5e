/** Whether somebody is being asked to prove who they are, and how they answer. */
export type StepUpAsked = { answer: (hasProved: boolean) => void }

let asked: (StepUpAsked & { answered: Promise<boolean> }) | null = null
const listeners = new Set<() => void>()

function change(next: typeof asked): void {
  asked = next
  for (const listener of listeners) listener()
}

export const stepUpAsked = (): StepUpAsked | null => asked

export function onStepUpAsked(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Asks the member to prove themselves again; false when they would rather not. Calls that fail together ask once. */
export function askStepUp(): Promise<boolean> {
  if (!asked) {
    const { promise: answered, resolve } = Promise.withResolvers<boolean>()
    change({
      answered,
      answer: (hasProved) => {
        change(null)
        resolve(hasProved)
      },
    })
  }
  return asked?.answered ?? Promise.resolve(false)
}
