import { categories } from '#contract/publishing/announcements.ts'
import type { PlainKey } from '../i18n/message-key.ts'

type CategoryColor = (typeof categories)[number]['colour']
type CategoryName = (typeof categories)[number]['name']

const labels: Readonly<Record<CategoryName, PlainKey>> = {
  'Technical Updates': 'news.category.technicalUpdates',
  News: 'news.category.news',
  Events: 'news.category.events',
  Partnerships: 'news.category.partnerships',
}

/** Returns the label of a category. An unknown category is shown under its own name. */
export const categoryLabel = (name: string): PlainKey | null =>
  Object.hasOwn(labels, name) ? labels[name as CategoryName] : null

/** Returns the color of a category, red by default. */
export const categoryColor = (name: string): CategoryColor =>
  categories.find((category) => category.name === name)?.colour ?? 'red'
