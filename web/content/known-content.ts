import type { Language } from '#contract/fields.ts'
import type { Messages } from '../i18n/message-key.ts'
import type { SpokenBrand } from './brand.tsx'

/*
 * What this tab has of the site's content so far. It stays as it came until the next whole load, as the scripts do. Only
 * for browsers: on the server it may change between two pages.
 */

type KnownMessages = { files: ReadonlySet<string>; messages: Messages }

const messagesIn = new Map<Language, KnownMessages>()
const none: KnownMessages = { files: new Set(), messages: {} }

export const knownMessages = (language: Language): KnownMessages => messagesIn.get(language) ?? none

/** Of all files one map: a key stands in one file only. */
export function keepMessages(language: Language, files: readonly string[], messages: Messages): void {
  const known = knownMessages(language)
  messagesIn.set(language, {
    files: new Set([...known.files, ...files]),
    messages: { ...known.messages, ...messages },
  })
}

export const knownFacts = new Map<string, unknown>()

export const knownBrand = new Map<Language, SpokenBrand>()
