import type { AppInput } from './apps.ts'
import type { FlatSettings } from './settings.ts'

/** Each list is one value, formatted with one line per entry. */
export const flattenApp = ({ name, fullName, contact, coins, docs }: AppInput): FlatSettings => ({
  name,
  fullName,
  contact,
  coins: JSON.stringify(coins.map(({ symbol }) => symbol)),
  docs: JSON.stringify(docs.map((doc) => [doc.name, doc.type, doc.url])),
})

export const appOfFlat = (flat: FlatSettings): AppInput => ({
  name: flat['name'] ?? '',
  fullName: flat['fullName'] ?? '',
  contact: flat['contact'] ?? '',
  coins: (JSON.parse(flat['coins'] ?? '[]') as string[]).map((symbol) => ({ symbol })),
  docs: (JSON.parse(flat['docs'] ?? '[]') as [string, string, string][]).map(([name, type, url]) => ({
    name,
    type,
    url,
  })),
})
