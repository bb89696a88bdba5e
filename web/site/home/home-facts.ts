import type { Language } from '#contract/fields.ts'
import type { Facts } from '../../content/facts.ts'
import { locale } from '../../i18n/language.ts'
import type { homeFactFiles } from './home-fact-files.ts'
import type { Subtitled } from '../../films/film-files.ts'
import { layOutSynergy } from './synergy/synergy-layout.ts'

/** The facts that the home page shows, in one language: the other language is not sent to the browser. */
export function homeFacts(facts: Facts<(typeof homeFactFiles)[number]>, language: Language) {
  const { 'facts/comparison.json': comparison, 'facts/synergy.json': synergy } = facts
  const month = new Intl.DateTimeFormat(locale[language], {
    year: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  // Chinese typography puts spaces between digits and characters; the locale's own format does not.
  const spaced = (text: string) => (language === 'cn' ? text.replaceAll(/\d+/g, ' $& ').trim() : text)
  const words = <Words extends object>(entry: { id: string } & Record<Language, Words>) => ({
    id: entry.id,
    ...entry[language],
  })
  return {
    partners: facts['facts/partners.json'].map((partner: Partner) => ({
      ...words(partner),
      seed: partner.seed,
      photo: partner.photo,
    })),
    films: facts['facts/films.json']
      .filter(({ place }) => place === 'home')
      .map((film) => ({
        ...words(film),
        file: film.file,
        seconds: film.seconds,
        subtitled: (film as Subtitled).subtitled,
      })),
    synergy: layOutSynergy(
      synergy.nodes.map(words<{ label: string; text: string }>),
      synergy.edges.map(({ from, to, [language]: { label } }) => ({ from, to, label })),
    ),
    coinFacts: facts['facts/coin-facts.json'].map(words<CoinFactWords>),
    features: facts['facts/features.json'].map(words<{ title: string; text: string }>),
    comparison: {
      columns: comparison.columns.map(words<{ title: string; note: string }>),
      rows: comparison.rows.map(words<{ label: string; values: string[] }>),
    },
    roadmap: facts['facts/roadmap.json'].map((milestone) => ({
      ...words(milestone),
      date: milestone.date,
      month: spaced(month.format(new Date(milestone.date))),
      state: milestone.state as MilestoneState,
    })),
    team: facts['facts/team.json'].map((group) => ({
      ...words(group),
      members: group.members.map((member: TeamMember) => ({
        ...words(member),
        photo: member.photo,
        linkedin: member.linkedin,
        isSpecial: member.special === true,
      })),
    })),
  }
}

export type HomeFacts = ReturnType<typeof homeFacts>
export type MilestoneState = 'done' | 'current' | 'next'

type CoinFactWords = { label: string; value: string; unit?: string; note: string }
type MemberWords = { name: string; title: string; skills: string[] }
/** Optional fields that the content schema allows but the present content may not use. */
type Partner = { id: string; seed: number; photo?: string } & Record<Language, { name: string; line: string }>
type TeamMember = { id: string; photo?: string; linkedin?: string; special?: boolean } & Record<
  Language,
  MemberWords
>
