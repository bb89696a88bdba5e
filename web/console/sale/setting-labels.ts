import { methodFields, methodPath } from '#contract/money/flat-sale.ts'
import type { BonusTier } from '#contract/money/round-bonus.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { describeBonus, describeVesting } from '../../kernel/rounds/describe-round.ts'
import { countryName } from './country-name.ts'
import { planOf, type TypedPlan } from './round-flat.ts'

type Labels = Readonly<Record<string, PlainKey>>

const saleLabels: Labels = {
  isOpen: 'consoleSale.isOpen',
  quoteMinutes: 'consoleSale.quoteMinutes',
  opensAt: 'consoleSale.opensAt',
  closesAt: 'consoleSale.closesAt',
  cap: 'consoleSale.cap',
  memberCap: 'consoleSale.memberCap',
  payMethods: 'consoleSale.payMethods',
}
const appLabels: Labels = {
  name: 'consoleSale.app.name',
  fullName: 'consoleSale.app.fullName',
  contact: 'consoleSale.app.contact',
  coins: 'consoleSale.app.coins',
  docs: 'consoleSale.app.docs',
}
/** Settings of one round. Its period, caps, and prices have the labels of the sale. */
const roundLabels: Labels = {
  nameEn: 'consoleRounds.nameEn',
  nameCn: 'consoleRounds.nameCn',
  bonus: 'consoleRounds.bonus',
  admission: 'consoleRounds.admission',
  excludedCountries: 'consoleRounds.countries',
  vesting: 'consoleRounds.vesting',
}
const labels: Labels = { ...saleLabels, ...roundLabels, ...appLabels }

/** Where a setting is changed: the page, and the name of its field there. */
export type SettingPlace = { page: 'console.sale' | 'console.appRecord'; path: string; label: PlainKey }

const placesOn = (page: SettingPlace['page'], of: Labels): SettingPlace[] =>
  Object.entries(of).map(([path, label]) => ({ page, path, label }))

export const settingPlaces: readonly SettingPlace[] = [
  ...placesOn('console.sale', saleLabels),
  ...placesOn('console.appRecord', appLabels),
]

export const chainLabels = {
  bitcoin: 'consoleSale.chain.bitcoin',
  ethereum: 'consoleSale.chain.ethereum',
  other: 'consoleSale.chain.other',
} as const satisfies Record<string, PlainKey>

type Format = (text: string, messages: UsedMessages) => string

/** A plan in a saved version has numbers, and one in the form has text. */
const formatVesting: Format = (text, messages) =>
  describeVesting(planOf(JSON.parse(text) as TypedPlan), messages)

const listCodes: Format = (text, { joinNames }) => joinNames(JSON.parse(text) as string[])

/** How values are shown that are not text or a time. */
const formats: Readonly<Record<string, Format>> = {
  isOpen: (text, { t }) => t(text === 'true' ? 'consoleSale.open' : 'consoleSale.closed'),
  'method.isOpen': (text, { t }) => t(text === 'true' ? 'consoleSale.offered' : 'consoleSale.notOffered'),
  'method.chain': (text, { t }) => t(chainLabels[text as keyof typeof chainLabels] ?? 'consoleSale.none'),
  admission: (text, { t }) =>
    t(text === 'listed' ? 'consoleRounds.admission.listed' : 'consoleRounds.admission.approved'),
  excludedCountries: (text, { language, joinNames }) =>
    joinNames((JSON.parse(text) as string[]).map((code) => countryName(code, language))),
  bonus: (text, messages) => describeBonus(JSON.parse(text) as BonusTier[], messages),
  vesting: formatVesting,
  payMethods: listCodes,
  coins: listCodes,
  docs: (text, { nameValue }) =>
    (JSON.parse(text) as string[][]).map(([name = '', , url = '']) => nameValue(name, url)).join('\n'),
}

const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Labels and values of settings, by path. */
export function useSettingLabels() {
  const messages = useMessages()
  const { t, formatDateTime } = messages
  const label = (path: string): string => {
    const method = methodPath(path)
    if (method)
      return t('consoleSale.ofMethod', { code: method.code, field: t(`consoleSale.method.${method.field}`) })
    const key = labels[path]
    return key ? t(key) : path
  }
  /** Returns “none” if the value is null or empty. */
  const value = (path: string, text: string | null): string => {
    if (text === null) return t('consoleSale.none')
    const method = methodPath(path)
    const format = formats[method ? `method.${method.field}` : path]
    if (format) return format(text, messages) || t('consoleSale.none')
    if (isTime.test(text)) return formatDateTime(text)
    return text || t('consoleSale.none')
  }
  return { label, value }
}

/** Sorts items in the order of the form: the sale's own settings first, then method by method. */
export function inOrder<Item extends { path: string }>(items: readonly Item[]): Item[] {
  const own = Object.keys(labels)
  const rank = ({ path }: Item): [string, number] => {
    const method = methodPath(path)
    return method ? [method.code, methodFields.indexOf(method.field)] : ['', own.indexOf(path)]
  }
  return items.toSorted((a, b) => {
    const [[codeA, rankA], [codeB, rankB]] = [rank(a), rank(b)]
    return codeA.localeCompare(codeB) || rankA - rankB
  })
}
