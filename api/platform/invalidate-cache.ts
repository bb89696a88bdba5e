import type { Changes } from './db/changes.ts'
import { onCommitted } from './db/committed-changes.ts'
import type { Services } from './services.ts'

type Kept = { forget(topic: string): void; setListening(isListening: boolean): void }

/** Invalidates cached responses as soon as the data they depend on changes, in this or any other instance. */
export function invalidateCache(
  responseCache: Kept,
  { db, content }: Pick<Services, 'db' | 'content'>,
  changes?: Pick<Changes, 'on' | 'onListening'>,
): void {
  // For content, only once the change is applied in this instance.
  const forget = (topic: string) => topic !== 'content' && responseCache.forget(topic)
  content.onChange(() => responseCache.forget('content'))
  onCommitted(db, forget)
  changes?.onListening(responseCache.setListening)
  changes?.on(forget)
}
