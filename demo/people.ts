import { randomUUID } from 'node:crypto'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '#api/platform/db/database.ts'
import {
  applicantCount,
  languageOf,
  sampleName,
  someTime,
  type SamplePerson,
  type SampleWorld,
} from './world.ts'
import { insertSampleMemberRows, insertSampleSignIns, type SampleSignIn } from './member-rows.ts'

/** A domain that nobody reads: `.example` is reserved (RFC 2606). */
const sampleDomain = 'people.example'

const peopleCount = 200
const weeks = 10
/** News attracts people: posts were published this many days ago. */
const newsDays = [2, 9, 21, 34]
/** Members who never confirm are deleted after a month. */
const unconfirmedDays = 27
const longAgo = 720 * DAY
const devices = [
  'Chrome · Windows',
  'Chrome · Android',
  'Safari · iOS',
  'Safari · macOS',
  'Firefox · Linux',
  'Edge · Windows',
  'Chrome · macOS',
]

/**
 * Two hundred people who signed up over ten weeks, more of them recently, fewer on weekends, and some who stopped
 * halfway.
 */
export async function insertSamplePeople(db: Tx, world: SampleWorld, passwordHash: string): Promise<void> {
  const people = cast(joinDays(world).map((daysAgo) => makePerson(world, daysAgo)))
  world.people.push(...people)
  await insertSampleMemberRows(
    db,
    people.map((person) => rowOf(person, passwordHash)),
  )
  await insertSampleSignIns(
    db,
    people.flatMap((person) => signInsOf(world, person)),
  )
  for (const person of people) {
    world.mails.push({ at: person.joinedAt, to: person, kind: 'activation' })
    noteClosing(world, person)
  }
}

/** Returns how many days ago each of them joined, first to last. */
function joinDays({ now, dice }: SampleWorld): number[] {
  const weights = Array.from({ length: weeks * 7 }, (_, daysAgo) => {
    const growth = 1 + (2 * (weeks * 7 - daysAgo)) / (weeks * 7)
    const isWeekend = [0, 6].includes(new Date(now - daysAgo * DAY).getUTCDay())
    const news = newsDays.some((day) => day - daysAgo >= 0 && day - daysAgo < 2) ? 1.9 : 1
    // Only part of today is over.
    const part = daysAgo === 0 ? (now % DAY) / DAY : 1
    return growth * (isWeekend ? 0.6 : 1) * news * part
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const throwOne = () => {
    let rest = dice.next() * total
    return weights.findIndex((weight) => (rest -= weight) < 0)
  }
  return Array.from({ length: peopleCount }, throwOne).toSorted((a, b) => b - a)
}

type Newcomer = Omit<SamplePerson, 'n' | 'email' | 'name' | 'language'>

function makePerson(world: SampleWorld, daysAgo: number): Newcomer {
  const { dice, now } = world
  const joinedAt = someTime(world, daysAgo)
  const wait = dice.isLucky(0.85) ? dice.between(2, 90) * MINUTE : dice.between(2, 20) * HOUR
  const isConfirmed = daysAgo > unconfirmedDays || dice.isLucky(0.86)
  const activatedAt = isConfirmed && joinedAt + wait < now ? joinedAt + wait : null
  return {
    id: randomUUID(),
    joinedAt,
    activatedAt,
    closedAt: null,
    approvedAt: null,
    hasFactor: false,
    part: 'none',
  }
}

/** The first numbers are the applicants, followed by the buyers: their documents are drawn with their names. */
function cast(newcomers: Newcomer[]): SamplePerson[] {
  const confirmed = newcomers.filter(({ activatedAt }) => activatedAt !== null)
  confirmed.forEach((person, index) => {
    person.part = partOf(index)
    person.hasFactor = person.part === 'lost factor' || index % 7 === 3
    if (person.part === 'none' && index % 27 === 12 && index < 140)
      person.closedAt = person.activatedAt! + 6 * DAY
  })
  // An approval expires after two years, so one member has been here for longer than that.
  const eldest = confirmed.find(({ part }) => part === 'applicant')
  if (eldest) {
    eldest.joinedAt -= longAgo
    eldest.activatedAt = eldest.activatedAt! - longAgo
  }
  const playing = (part: SamplePerson['part']) => newcomers.filter((person) => person.part === part)
  return [...playing('applicant'), ...playing('buyer'), ...playing('lost factor'), ...playing('none')].map(
    (person, index) => {
      const n = index + 1
      const language = languageOf(n)
      return {
        ...person,
        n,
        language,
        email: `person.${n}@${sampleDomain}`,
        name: sampleName(n, language).whole,
      }
    },
  )
}

/** Returns the role of a person by the order in which they joined. Buyers came early. */
function partOf(index: number): SamplePerson['part'] {
  if (index < 60 && index % 3 === 1) return 'buyer'
  if (index >= 61 && index % 8 === 7 && index < 61 + 8 * applicantCount) return 'applicant'
  return index >= 12 && index < 120 && index % 15 === 2 ? 'lost factor' : 'none'
}

function rowOf(person: SamplePerson, passwordHash: string) {
  const { id, email, language, name, activatedAt } = person
  const isOver = isClosed(person)
  const { first, last } = sampleName(person.n, language)
  return {
    id,
    email,
    language,
    created_at: new Date(person.joinedAt),
    updated_at: new Date(activatedAt ?? person.joinedAt),
    ...(activatedAt !== null && {
      active: !isOver,
      activated_at: new Date(activatedAt),
      address_proved_at: new Date(activatedAt),
      password_hash: passwordHash,
      display_name: name,
      first_name: first,
      last_name: last,
      closed_at: isOver ? new Date(person.closedAt!) : null,
    }),
  }
}

const isClosed = ({ closedAt }: SamplePerson): boolean => closedAt !== null

function signInsOf({ dice, now }: SampleWorld, person: SamplePerson): SampleSignIn[] {
  if (person.activatedAt === null) return []
  const device = dice.oneOf(devices)
  const until = person.closedAt ?? now
  const gap = dice.between(2, 24) * DAY
  const signIns: SampleSignIn[] = []
  for (let at = person.activatedAt + 3 * MINUTE; at < until; at += Math.round(gap * (0.3 + dice.next())))
    signIns.push({
      memberId: person.id,
      at: new Date(at),
      device: dice.isLucky(0.15) ? dice.oneOf(devices) : device,
      hasProvedFactor: person.hasFactor && signIns.length > 0,
    })
  return signIns
}

function noteClosing(world: SampleWorld, person: SamplePerson): void {
  if (person.closedAt === null) return
  world.mails.push({ at: person.closedAt, to: person, kind: 'account-deactivated' })
  world.audit.push({
    at: person.closedAt,
    actorId: world.operators.employee2,
    action: 'member-updated',
    subjectKind: 'member',
    subjectId: person.id,
    detail: { fields: ['active'], changes: ['active true → false'] },
  })
}
