import { SECOND } from '#contract/durations.ts'
import { KIB, MIB } from '#contract/fields.ts'
import { Refused } from '../refused.ts'

type Room = { bytes: number; bodies: number }
/** `large` is the part that bodies of more than one photo may take; the rest is kept for the others. */
type Limit = Room & { large: Room }

/** What may be under way at once: of one member, of one client, and of all. */
export type SlotLimits = Record<Scope, Limit>
type Scope = 'member' | 'client' | 'all'

/** An application with photos sent ahead; four applications of one office; eight of everybody, which is also what they need of the disk. */
const usualLimits: SlotLimits = {
  member: { bytes: 128 * MIB, bodies: 8, large: { bytes: 96 * MIB, bodies: 1 } },
  client: { bytes: 384 * MIB, bodies: 32, large: { bytes: 336 * MIB, bodies: 8 } },
  all: { bytes: 768 * MIB, bodies: 256, large: { bytes: 640 * MIB, bodies: 32 } },
}
/** One photo, as large as one may be, in base64. */
const smallMax = 15 * MIB
/** Room is taken in steps of this size, when the first byte of each is here. */
const stepBytes = 256 * KIB
/** A body that needed longer for its last step gives way where there is no room. */
const stale = 20 * SECOND
const retryAfterSeconds = 5

export type Uploader = { memberId: string; client: string }

export type Slot = {
  /** So many more bytes are here. Refused where they have no room, as is everything once the body had to give way. */
  receive(bytes: number): void
  /** All of it is here: others need not wait until it is answered. */
  complete(): void
  giveBack(): void
}

export type UploadSlots = {
  /** Refused at once where there is no room. `end` is called when the body has to give way to others later. */
  take(who: Uploader, bytesMax: number, end: (refused: Refused) => void): Slot
}

type Body = Uploader & {
  isLarge: boolean
  isComing: boolean
  bytes: number
  taken: number
  steppedAt: number
  /** Why it has to give way, from then on. */
  refused: Refused | undefined
  end: (refused: Refused) => void
}

/** Large bodies take room as they come, and give it back when they are answered. */
export function makeUploadSlots(limits = usualLimits, now = () => performance.now()): UploadSlots {
  const bodies = new Set<Body>()

  // What waits to be answered is its member's own affair.
  const isOpen = (body: Body, scope: Scope): boolean => body.isComing || scope === 'member'

  /** What of the room is exceeded, if `bytes` more come. */
  function exceeded(
    sharing: readonly Body[],
    max: Room,
    scope: Scope,
    bytes: number,
  ): keyof Room | undefined {
    if (sum(sharing, ({ taken }) => taken) + bytes > max.bytes) return 'bytes'
    return sharing.filter((body) => isOpen(body, scope)).length > max.bodies ? 'bodies' : undefined
  }

  /**
   * No client, and no member of a client, holds more than an equal part of the room while another one with less asks: whoever
   * holds the most gives way, by the body that moved least lately.
   */
  function findOversized(
    sharing: readonly Body[],
    scope: Scope,
    { asking, what, part }: { asking: Body; what: keyof Room; part: (parties: number) => number },
  ): Body | undefined {
    if (scope === 'member') return undefined
    const parties = Map.groupBy(sharing, partyIn[scope])
    const shareOf = (party: readonly Body[]) =>
      what === 'bytes' ? sum(party, ({ taken }) => taken) : party.filter(({ isComing }) => isComing).length
    const isOver = (party: readonly Body[]) => shareOf(party) > part(parties.size)
    // Whoever was sent away meanwhile has no part any more.
    if (isOver(parties.get(partyIn[scope](asking)) ?? [])) return undefined
    const largest = (some: Iterable<Body[]>): Body[] =>
      [...some].toSorted((one, other) => shareOf(other) - shareOf(one))[0] ?? []
    const coming = (party: readonly Body[]) => party.filter(({ isComing }) => isComing)
    const giving = largest([...parties.values()].filter((party) => isOver(party)).map(coming))
    return slowestOf(largest(Map.groupBy(giving, partyIn.client).values()))
  }

  /** For `bytes` more of a body that is among `bodies` already. */
  function requireRoom(asking: Body, bytes: number): void {
    for (const scope of ['member', 'client', 'all'] as const) {
      const { large, ...whole } = limits[scope]
      for (const [max, isLargeOnly] of [[whole, false] as const, [large, true] as const]) {
        if (isLargeOnly && !asking.isLarge) continue
        const list = () =>
          [...bodies].filter((body) => isIn(scope, asking, body) && (body.isLarge || !isLargeOnly))
        for (let sharing = list(); ; sharing = list()) {
          const what = exceeded(sharing, max, scope, bytes)
          if (!what) break
          const refused = new Refused(scope === 'all' ? 'unavailable' : 'rate_limited', { retryAfterSeconds })
          const still = sharing.filter(
            (body) => body !== asking && body.isComing && now() - body.steppedAt >= stale,
          )
          const givesWay =
            slowestOf(still) ??
            findOversized(sharing, scope, { asking, what, part: (parties) => max[what] / parties })
          if (!givesWay) throw refused
          bodies.delete(givesWay)
          givesWay.refused = refused
          givesWay.end(refused)
        }
      }
    }
  }

  return {
    take({ memberId, client }, bytesMax, end) {
      const isLarge = bytesMax > smallMax
      const body: Body = {
        memberId,
        client,
        isLarge,
        isComing: true,
        bytes: 0,
        taken: 0,
        steppedAt: now(),
        refused: undefined,
        end,
      }
      const step = () => {
        requireRoom(body, stepBytes)
        body.taken += stepBytes
        body.steppedAt = now()
      }
      // Bytes that were read already may be told of afterwards.
      const requireHeld = () => {
        if (body.refused) throw body.refused
      }
      bodies.add(body)
      try {
        step()
      } catch (error) {
        bodies.delete(body)
        throw error
      }
      return {
        receive(bytes) {
          requireHeld()
          body.bytes += bytes
          while (body.bytes > body.taken) step()
        },
        complete() {
          requireHeld()
          body.isComing = false
        },
        giveBack: () => void bodies.delete(body),
      }
    },
  }
}

/** Between whom the room is shared. */
const partyIn = {
  client: ({ memberId }: Uploader) => memberId,
  all: ({ client }: Uploader) => client,
}

const sum = (bodies: readonly Body[], of: (body: Body) => number): number =>
  bodies.reduce((total, body) => total + of(body), 0)

const slowestOf = (bodies: readonly Body[]): Body | undefined =>
  bodies.toSorted((one, other) => one.steppedAt - other.steppedAt)[0]

const isIn = (scope: Scope, one: Uploader, other: Uploader): boolean =>
  scope === 'all' || (scope === 'client' ? one.client === other.client : one.memberId === other.memberId)
