import { readWords } from '#contract/publishing/content.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { Call } from '../call/call.ts'
import type { Messages, Namespace } from '../i18n/message-key.ts'

/** Loads the messages of some files from the API, for rendering on the server. Browsers use `loadMessages`. */
export const messagesFrom = async (
  call: Call,
  language: Language,
  files: readonly Namespace[],
): Promise<Messages> => (await call(readWords, { query: { language, files: files.join(',') } })).words
