import people from '#content/samples/ambassadors.json' with { type: 'json' }
import type { AmbassadorState } from '#contract/people/ambassadors.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { someTime, type SampleWorld } from './world.ts'
import { countryKeyOf } from '#api/people/ambassadors/applications/country-key.ts'

/**
 * Places from which applicants write, newest first. Accepted applicants with a public profile have the words of
 * `content/samples/ambassadors.json` instead.
 */
const places = [
  ['Example Harbour', 'Portugal'],
  ['样本市', '中国'],
  ['Sample Falls', 'Canada'],
  ['Example Bay', 'Singapore'],
  ['示例城', '中国'],
  ['Sampleton', 'United Kingdom'],
  ['Example-sur-Mer', 'France'],
  ['Musterstadt', 'Germany'],
  ['Example Springs', 'Kenya'],
  ['样本湾', '马来西亚'],
  ['Ejemplo', 'Chile'],
  ['Sample City', 'Japan'],
  ['Example Harbour', 'portugal'],
  ['样本镇', 'China'],
  ['Sample Hill', 'UK'],
  ['Exemplo', 'Brazil'],
  ['示例港', '新加坡'],
  ['Sample Creek', 'Canada'],
  ['Musterhausen', 'Germany'],
  ['Esempio', 'Italy'],
  ['样本岛', '中国'],
  ['Sample Ridge', 'New Zealand'],
  ['Přiklad', 'Czechia'],
] as const

/** Two applications of the same person, who applied again without waiting. */
const samePerson = { first: 12, again: 0 }

const stateOf = (index: number): AmbassadorState => {
  if (index < 5 || index === samePerson.first) return 'received'
  if (index < 9) return 'in_review'
  return index % 3 === 0 ? 'declined' : 'accepted'
}

const reasons = [
  'Sample: offers commissions for buyers on the profile that is named.',
  'Sample: there are enough of us in this city for now. Thank you, and please ask again next year.',
]
const notes = [
  'Sample: called, speaks well and knows the manual for wallets. Wants to begin with a library.',
  'Sample: the profile shows meetings of three years, with photos of the audience from behind.',
  'Sample: asked for the slides of the last meeting.',
]

/** Inserts applications in every state and several languages. The older ones are decided. */
export async function insertSampleApplications(db: Tx, world: SampleWorld): Promise<void> {
  const { employee2, admin } = world.operators
  for (const [index, place] of places.entries()) {
    const status = stateOf(index)
    const sentAt = someTime(world, 3 + index * 3)
    const officer = index % 2 === 0 ? employee2 : admin
    const { id } = await db
      .insertInto('ambassador_application')
      .values({ ...formOf(index, place), ...reviewOf(index, status, sentAt, officer) })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (status !== 'received') await insertReview(db, { id, index, status, officer, begunAt: sentAt + DAY })
  }
}

const isAnswered = (status: AmbassadorState) => status === 'accepted' || status === 'declined'

/** The accepted applications, oldest first: the order in which their senders became ambassadors. */
const accepted = [...places.keys()].filter((index) => stateOf(index) === 'accepted').toReversed()

const languageIn = (city: string): Language => (/\p{Script=Han}/u.test(city) ? 'cn' : 'en')

function applicantAt(index: number, [city, country]: (typeof places)[number]) {
  const person = people[accepted.indexOf(index)]
  if (person) {
    const language = languageIn(person.city)
    return { ...person, language, name: person[language].name }
  }
  const n = (index === samePerson.again ? samePerson.first : index) + 1
  const language = languageIn(city)
  const name = language === 'cn' ? `样本大使 ${n}` : `Sample Ambassador ${n}`
  return { city, country, language, name, link: `https://mastodon.example/@sample_ambassador_${n}` }
}

function formOf(index: number, place: (typeof places)[number]) {
  const { city, country, language, name, link } = applicantAt(index, place)
  return {
    email: `ambassador${index + 1}@people.example`,
    full_name: name,
    city,
    country,
    country_key: countryKeyOf(country),
    language,
    social_media: JSON.stringify([link]),
    description:
      language === 'cn'
        ? '示例：每月在本地组织一次节点搭建活动，并把公告翻译成中文。'
        : 'Sample: runs a monthly meeting about running a node, and translates announcements.',
  }
}

function reviewOf(index: number, status: AmbassadorState, sentAt: number, officer: string) {
  const begunAt = sentAt + DAY
  const stateAt = status === 'received' ? sentAt : status === 'in_review' ? begunAt : begunAt + DAY
  return {
    status,
    assignee_id: status === 'received' ? null : officer,
    decided_by: isAnswered(status) ? officer : null,
    reason: status === 'declined' ? reasons[index % 2]! : '',
    is_reason_told: status === 'declined' && index % 2 === 1,
    created_at: new Date(sentAt),
    state_at: new Date(stateAt),
    updated_at: new Date(stateAt),
  }
}

type Review = { id: string; index: number; status: AmbassadorState; officer: string; begunAt: number }

/** Inserts the steps of a review and, for every other application, a note. */
async function insertReview(db: Tx, { id, index, status, officer, begunAt }: Review): Promise<void> {
  const step = { application_id: id, by_member_id: officer, to_member_id: null }
  await db
    .insertInto('ambassador_step')
    .values([
      { ...step, kind: 'in_review', at: new Date(begunAt) },
      ...(isAnswered(status) ? [{ ...step, kind: status, at: new Date(begunAt + DAY) }] : []),
    ])
    .execute()
  if (index % 2 === 0)
    await db
      .insertInto('staff_note')
      .values({
        ambassador_application_id: id,
        author_id: officer,
        text: notes[(index / 2) % notes.length]!,
        at: new Date(begunAt + 2 * HOUR),
      })
      .execute()
}
