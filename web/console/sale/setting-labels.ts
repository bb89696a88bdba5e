import { methodFields, methodPath, type RoundNames } from '#contract/money/flat-sale.ts'
import type { BonusTier } from '#contract/money/round-bonus.ts'
import type { VestingPlan } from '#contract/money/vesting.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { describeBonus, describeVesting } from '../../kernel/rounds/describe-round.ts'
import { countryName } from './country-name.ts'

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
/** Settings of one round, in the order of its form. */
const roundLabels: Labels = {
  nameEn: 'consoleRounds.nameEn',
  nameCn: 'consoleRounds.nameCn',
  opensAt: 'consoleSale.opensAt',
  closesAt: 'consoleSale.closesAt',
  cap: 'consoleRounds.cap',
  memberCap: 'consoleSale.memberCap',
  payMethods: 'consoleRounds.prices.own',
  bonus: 'consoleRounds.bonus',
  admission: 'consoleRounds.admission',
  excludedCountries: 'consoleRounds.countries',
  vesting: 'consoleRounds.vesting',
}
const labels: Labels = { ...saleLabels, rounds: 'console.nav.saleRounds', ...appLabels }

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
  vesting: (text, messages) => describeVesting(JSON.parse(text) as VestingPlan, messages),
  payMethods: listCodes,
  coins: listCodes,
  docs: (text, { nameValue }) =>
    (JSON.parse(text) as string[][]).map(([name = '', , url = '']) => nameValue(name, url)).join('\n'),
}

const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

export type LabelsOf = {
  /** Names of the rounds whose settings are shown. */
  rounds?: RoundNames
  /** Whether the settings are those of one round, without its ID. */
  isRound?: boolean
}

/** Labels and values of settings, by path. */
export function useSettingLabels({ rounds = {}, isRound = false }: LabelsOf = {}) {
  const messages = useMessages()
  const { t, language, formatDateTime, joinNames } = messages
  const ownLabel = (path: string, of: Labels): string => {
    const method = methodPath(path)
    if (method)
      return t('consoleSale.ofMethod', { code: method.code, field: t(`consoleSale.method.${method.field}`) })
    const key = of[path]
    return key ? t(key) : path
  }
  const label = (path: string): string => {
    const { round, own } = partsOf(path)
    const name = rounds[round]
    if (!name) return ownLabel(path, isRound ? roundLabels : labels)
    return t('consoleRounds.ofRound', { round: name[language], field: ownLabel(own, roundLabels) })
  }
  /** Returns “none” if the value is null or empty. */
  const value = (path: string, text: string | null): string => {
    if (text === null) return t('consoleSale.none')
    if (path === 'rounds')
      return (
        joinNames((JSON.parse(text) as string[]).map((id) => rounds[id]?.[language] ?? id)) ||
        t('consoleSale.none')
      )
    const { own } = partsOf(path)
    const method = methodPath(own)
    const format = formats[method ? `method.${method.field}` : own]
    if (format) return format(text, messages) || t('consoleSale.none')
    if (isTime.test(text)) return formatDateTime(text)
    return text || t('consoleSale.none')
  }
  return { label, value }
}

/** Splits the path of a setting of a round, which its ID precedes. A payment method may have a slash in its code. */
function partsOf(path: string): { round: string; own: string } {
  const [, round = '', own = path] = /^([A-Za-z0-9-]+)\/([^/]+)$/.exec(path) ?? []
  return { round, own }
}

/** Sorts items in the order of the forms: the sale's own settings, method by method, and then round by round. */
export function inOrder<Item extends { path: string }>(items: readonly Item[]): Item[] {
  const names = ['nameEn', 'nameCn', ...Object.keys({ ...labels, ...roundLabels })]
  const rank = ({ path }: Item): [string, string, number] => {
    const { round, own } = partsOf(path)
    const method = methodPath(own)
    return method ? [round, method.code, methodFields.indexOf(method.field)] : [round, '', names.indexOf(own)]
  }
  return items.toSorted((a, b) => {
    const [[roundA, codeA, rankA], [roundB, codeB, rankB]] = [rank(a), rank(b)]
    return roundA.localeCompare(roundB) || codeA.localeCompare(codeB) || rankA - rankB
  })
}
