import { failureMessage } from './actions/failure-message.ts'
import { CallFailed } from './call/call-failed.ts'

export type Texts = Readonly<Record<string, string>>

/** Returns messages by the names of their fields. A message that belongs to no field has an empty name. */
export function problemsOf(failure: unknown, t: Parameters<typeof failureMessage>[0]): Texts {
  const errors = failure instanceof CallFailed ? failure.errors : []
  if (errors.length === 0) return { '': failureMessage(t, failure) }
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]))
}
