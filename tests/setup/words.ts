import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Language } from '#contract/fields.ts'

const messagesUrl = new URL('../../content/messages/', import.meta.url)

const readMessages = (language: Language): Record<string, string> => {
  const directory = fileURLToPath(new URL(`${language}/`, messagesUrl))
  const files = readdirSync(directory).map(
    (file) => JSON.parse(readFileSync(directory + file, 'utf8')) as object,
  )
  return Object.assign({}, ...files) as Record<string, string>
}

export const messageKeys: ReadonlySet<string> = new Set(Object.keys(readMessages('en')))

/** The words of a language as a person sees them, by message key, with values filled in. */
export function wordsOf(
  language: Language,
): (key: string, values?: Record<string, string | number>) => string {
  const brand = JSON.parse(
    readFileSync(fileURLToPath(new URL('../../content/brand.json', import.meta.url)), 'utf8'),
  ) as { name: string; ticker: string }
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
