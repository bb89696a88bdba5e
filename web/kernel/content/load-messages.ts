import { readWords } from '#contract/publishing/content.ts'
import type { Language } from '#contract/platform/fields.ts'
import { call } from '../call/call.ts'
import type { Messages, Namespace } from '../i18n/message-key.ts'
import { keepMessages, loadedMessages } from './known-content.ts'

/** Requests in flight, by language and file. */
const underWay = new Map<string, Promise<void>>()

/** Returns the messages of some files, along with those already loaded. All missing files are requested together. */
export async function loadMessages(language: Language, files: readonly Namespace[]): Promise<Messages> {
  const keyOf = (file: Namespace) => `${language} ${file}`
  const missing = files.filter((file) => !loadedMessages(language).files.has(file))
  const unrequested = missing.filter((file) => !underWay.has(keyOf(file)))
  if (unrequested.length > 0) {
    const asked = ask(language, unrequested)
    for (const file of unrequested) underWay.set(keyOf(file), asked)
    const finish = () => unrequested.forEach((file) => underWay.delete(keyOf(file)))
    asked.then(finish, finish)
  }
  await Promise.all(missing.flatMap((file) => underWay.get(keyOf(file)) ?? []))
  return loadedMessages(language).messages
}

async function ask(language: Language, files: readonly Namespace[]): Promise<void> {
  const { words } = await call(readWords, { query: { language, files: files.join(',') } })
  keepMessages(language, files, words)
}
