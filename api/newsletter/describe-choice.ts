import { siteLanguages } from '#contract/languages.ts'
import type { NewsChoice, NewsRhythm } from '#contract/newsletter.ts'
import type { SiteContent } from '../site-content.ts'

const categoryKeys: Readonly<Record<string, string>> = {
  'Technical Updates': 'news.category.technicalUpdates',
  News: 'news.category.news',
  Events: 'news.category.events',
  Partnerships: 'news.category.partnerships',
}

const rhythmKeys: Readonly<Record<NewsRhythm, string>> = {
  each: 'newsletter.rhythm.each',
  weekly: 'newsletter.rhythm.weekly',
}

/** What a confirmation link confirms, in words: categories, frequency, and language, one line each. */
export function describeChoice(
  content: Pick<SiteContent, 'allWords'>,
  { language, categories, rhythm }: NewsChoice,
): string {
  const words = content.allWords(language)
  const named = categories.map((name) => words[categoryKeys[name] ?? ''] ?? name)
  const listed = named.join(siteLanguages[language].tag.startsWith('zh') ? '、' : ', ')
  return [listed, words[rhythmKeys[rhythm]] ?? rhythm, siteLanguages[language].name].join('\n')
}
