import type { Changes } from './db/changes.ts'
import { onCommitted } from './db/committed-changes.ts'
import type { Services } from './services.ts'

type Kept = { forget(topic: string): void; setListening(isListening: boolean): void }

/** Ends the answers that are kept as soon as what they depend on changes, in this instance or in any other. */
export function forgetWhatChanges(
  kept: Kept,
  { db, content }: Pick<Services, 'db' | 'content'>,
  changes?: Pick<Changes, 'on' | 'onListening'>,
): void {
  // Of the content, only once what changed holds here.
  const forget = (topic: string) => topic !== 'content' && kept.forget(topic)
  content.onChange(() => kept.forget('content'))
  onCommitted(db, forget)
  changes?.onListening(kept.setListening)
  changes?.on(forget)
}
