import type { Language } from '#contract/fields.ts'
import brand from '#content/brand.json' with { type: 'json' }
import cn from '#content/own-data/cn.json' with { type: 'json' }
import en from '#content/own-data/en.json' with { type: 'json' }

type Words = typeof en
const words: Record<Language, Words> = { en, cn }

export const archiveWords = (language: Language): Words => words[language]

export const fillWords = (text: string, values: Record<string, string> = {}): string => {
  const filled: Record<string, string> = { brand: brand.name, contact: brand.email, ...values }
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => filled[name] ?? whole)
}

const tags: Record<Language, string> = { en: 'en-US', cn: 'zh-CN' }

/** The day, in UTC. */
export const sayDay = (date: Date, language: Language): string =>
  new Intl.DateTimeFormat(tags[language], { dateStyle: 'long', timeZone: 'UTC' }).format(date)
