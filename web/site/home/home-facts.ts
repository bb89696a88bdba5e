import type { PublicSale } from '#contract/money/public-sale.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { Facts } from '../../kernel/content/facts.ts'
import { joinDate } from '../../kernel/i18n/interpolate.ts'
import { locale } from '../../kernel/i18n/language.ts'
import { layOutSynergy } from './synergy/synergy-layout.ts'

/** Returns the data of the home page in one language, so that the other is not sent to the browser. */
export function homeFacts(
  facts: Facts<(typeof homeFactFiles)[number]>,
  language: Language,
  now = new Date(),
) {
  const { 'facts/comparison.json': comparison, 'facts/synergy.json': synergy } = facts
  // Chinese typography puts spaces between digits and characters; the locale's format does not.
  const spaced = (text: string) => (language === 'cn' ? text.replaceAll(/\d+/g, ' $& ').trim() : text)
  const hero = facts['facts/films.json'].find(({ place }) => place === 'hero')
  const words = <Words extends object>(entry: { id: string } & Record<Language, Words>) => ({
    id: entry.id,
    ...entry[language],
  })
  return {
    heroFilm: hero?.file ?? null,
    partners: facts['facts/partners.json'].map((partner) => ({
      ...words(partner),
      seed: partner.seed ?? seedOf(partner.id),
      photo: partner.photo,
    })),
    films: facts['facts/films.json']
      .filter(({ place }) => place === 'home')
      .map((film) => ({
        ...words(film),
        file: film.file,
        seconds: film.seconds,
        subtitled: film.subtitled,
      })),
    synergy: layOutSynergy(
      synergy.nodes.map(words),
      synergy.edges.map(({ from, to, [language]: { label } }) => ({ from, to, label })),
    ),
    coinFacts: facts['facts/coin-facts.json'].map((fact) => ({
      ...words(fact),
      date: fact.date ? { iso: fact.date, text: dayOf(fact.date, language) } : undefined,
    })),
    features: facts['facts/features.json'].map(words),
    comparison: { columns: comparison.columns.map(words), rows: comparison.rows.map(words) },
    roadmap: facts['facts/roadmap.json'].map((milestone, at, all) => ({
      ...words(milestone),
      isToday: isLastBegun(all, at, now),
      date: milestone.date,
      month: spaced(whenOf(milestone.date, language)),
      state: milestone.state,
    })),
    team: facts['facts/team.json'].map((group) => ({
      ...words(group),
      members: group.members.map((member) => ({
        ...words(member),
        photo: member.photo,
        linkedin: member.linkedin,
        links: member.links,
        isSpecial: member.special === true,
      })),
    })),
  }
}

export type HomeFacts = ReturnType<typeof homeFacts>
/** `sale`: null unless the home page shows the sale. */
export type HomeData = HomeFacts & { sale: PublicSale | null }
export type MilestoneState = HomeFacts['roadmap'][number]['state']

/** Whether today is between the date of a milestone and the date of the next one. */
const isLastBegun = (all: readonly { date: string }[], at: number, now: Date): boolean => {
  const hasBegun = (one: number) => {
    const milestone = all[one]
    return milestone !== undefined && firstDayOf(milestone.date) <= now
  }
  return hasBegun(at) && !hasBegun(at + 1)
}

/** The first day of a month, quarter, or year, in UTC. */
function firstDayOf(date: string): Date {
  const [year, part = '1'] = date.split('-')
  const month = part.startsWith('Q') ? Number(part.slice(1)) * 3 - 2 : Number(part)
  return new Date(Date.UTC(Number(year), month - 1))
}

const dayOf = (date: string, language: Language): string =>
  joinDate(
    new Intl.DateTimeFormat(locale[language], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date)),
  )

/** Formats a month, quarter, or year in the language. */
function whenOf(date: string, language: Language): string {
  const [year = '', part] = date.split('-')
  if (part?.startsWith('Q')) return language === 'cn' ? `${year}年第${part.slice(1)}季度` : `${part} ${year}`
  const month = part === undefined ? {} : ({ month: 'short' } as const)
  const format = new Intl.DateTimeFormat(locale[language], { year: 'numeric', ...month, timeZone: 'UTC' })
  return format.format(new Date(date))
}

/** Returns a number that is always the same for an ID. */
const seedOf = (id: string): number =>
  [...id].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997, 7)

/** Data files of the home page. A separate module, so that they are requested while the script that uses them loads. */
export const homeFactFiles = [
  'facts/coin-facts.json',
  'facts/comparison.json',
  'facts/features.json',
  'facts/films.json',
  'facts/partners.json',
  'facts/roadmap.json',
  'facts/synergy.json',
  'facts/team.json',
] as const
