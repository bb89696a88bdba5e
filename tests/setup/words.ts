import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '#contract/platform/fields.ts'

const content = join(import.meta.dirname, '../../content')
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(content, ...path), 'utf8')) as object

/** Every message of a language, from all its files. */
export const readMessages = (language: Language): Record<string, string> =>
  Object.assign(
    {},
    ...readdirSync(join(content, 'messages', language)).map((file) => readJson('messages', language, file)),
  ) as Record<string, string>

export const messageKeys: ReadonlySet<string> = new Set(Object.keys(readMessages('en')))

/** Returns the messages of a language by key, interpolated as a person sees them. */
export function wordsOf(
  language: Language,
): (key: string, values?: Record<string, string | number>) => string {
  const brand = readJson('brand.json') as { name: string; ticker: string }
  const words = readMessages(language)
  return (key, values = {}) => {
    const text = words[key]
    if (text === undefined) throw new Error(`no words for ${key}`)
    const filled = { brand: brand.name, ticker: brand.ticker, ...values }
    return text.replaceAll(
      /\{(\w+)\}/g,
      (whole, name: string) => filled[name as keyof typeof filled] ?? whole,
    )
  }
}
