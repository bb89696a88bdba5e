import type { Language } from '#contract/platform/fields.ts'
import type { Messages } from '../i18n/message-key.ts'
import type { LocalizedBrand } from './brand.tsx'

/* The site content that this tab has loaded so far. Like the scripts, it stays unchanged until the next full page
   load. Only for browsers: on the server, content can change between two pages. */

type LoadedMessages = { files: ReadonlySet<string>; messages: Messages }

const messagesIn = new Map<Language, LoadedMessages>()
const none: LoadedMessages = { files: new Set(), messages: {} }

export const loadedMessages = (language: Language): LoadedMessages => messagesIn.get(language) ?? none

/** One map for all files, because each key exists in only one of them. */
export function keepMessages(language: Language, files: readonly string[], messages: Messages): void {
  const known = loadedMessages(language)
  messagesIn.set(language, {
    files: new Set([...known.files, ...files]),
    messages: { ...known.messages, ...messages },
  })
}

export const loadedFacts = new Map<string, unknown>()

export const loadedBrand = new Map<Language, LocalizedBrand>()
