import { SECOND } from '#contract/platform/durations.ts'
import { KIB, MIB } from '#contract/platform/fields.ts'
import { Refused } from '../refused.ts'

type Room = { bytes: number; bodies: number }
/** `large` is the part that bodies larger than one photo may use; the rest is reserved for the others. */
type Limit = Room & { large: Room }

/** Limits of concurrent uploads: per member, per client, and in total. */
type SlotLimits = Record<Scope, Limit>
type Scope = 'member' | 'client' | 'all'

/**
 * An application with pending uploads per member; four applications per client, such as an office; eight in total,
 * which is also the disk space they need.
 */
const usualLimits: SlotLimits = {
  member: { bytes: 128 * MIB, bodies: 8, large: { bytes: 96 * MIB, bodies: 1 } },
  client: { bytes: 384 * MIB, bodies: 32, large: { bytes: 336 * MIB, bodies: 8 } },
  all: { bytes: 768 * MIB, bodies: 256, large: { bytes: 640 * MIB, bodies: 32 } },
}
/** One photo of the maximum size, in base64. */
const smallMax = 15 * MIB
/** Room is reserved in steps of this size, when the first byte of each arrives. */
const stepBytes = 256 * KIB
/** A body that took longer than this for its last step gives way if there is no room, in milliseconds. */
const stale = 20 * SECOND
const retryAfterSeconds = 5

export type Uploader = { memberId: string; client: string }

type Slot = {
  /** Reports that more bytes arrived. Throws if there is no room for them, or once the body had to give way. */
  receive(bytes: number): void
  /** Reports that the whole body arrived: others no longer need to wait for its response. */
  complete(): void
  giveBack(): void
}

export type UploadSlots = {
  /**
   * Reserves a slot. Throws at once if there is no room. `end` is called when the body has to give way to others later.
   */
  take(who: Uploader, bytesMax: number, end: (refused: Refused) => void): Slot
}

type Body = Uploader & {
  isLarge: boolean
  isComing: boolean
  bytes: number
  taken: number
  steppedAt: number
  /** Why it had to give way, once it has. */
  refused: Refused | undefined
  end: (refused: Refused) => void
}

/** Creates upload slots. Large bodies reserve room as they arrive, and release it when they are answered. */
export function makeUploadSlots(limits = usualLimits, now = () => performance.now()): UploadSlots {
  const bodies = new Set<Body>()

  /** Makes room for `bytes` more of a body that is already in `bodies`. */
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
          const givesWay =
            findStale(sharing, asking, now()) ??
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
    take(who, bytesMax, end) {
      const body: Body = { ...newBody(who, bytesMax), steppedAt: now(), end }
      const step = () => {
        requireRoom(body, stepBytes)
        body.taken += stepBytes
        body.steppedAt = now()
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
          requireHeld(body)
          body.bytes += bytes
          while (body.bytes > body.taken) step()
        },
        complete() {
          requireHeld(body)
          body.isComing = false
        },
        giveBack: () => void bodies.delete(body),
      }
    },
  }
}

const newBody = ({ memberId, client }: Uploader, bytesMax: number) => ({
  memberId,
  client,
  isLarge: bytesMax > smallMax,
  isComing: true,
  bytes: 0,
  taken: 0,
  refused: undefined,
})

/** Bytes that were already read may be reported after the body had to give way. */
function requireHeld({ refused }: Body): void {
  if (refused) throw refused
}

/** Finds the body that has been slow for too long, if there is one. */
const findStale = (sharing: readonly Body[], asking: Body, at: number): Body | undefined =>
  slowestOf(sharing.filter((body) => body !== asking && body.isComing && at - body.steppedAt >= stale))

// A body that waits for its response only counts against its member.
const isOpen = (body: Body, scope: Scope): boolean => body.isComing || scope === 'member'

/** Returns the limit that `bytes` more would exceed. */
function exceeded(sharing: readonly Body[], max: Room, scope: Scope, bytes: number): keyof Room | undefined {
  if (sum(sharing, ({ taken }) => taken) + bytes > max.bytes) return 'bytes'
  return sharing.filter((body) => isOpen(body, scope)).length > max.bodies ? 'bodies' : undefined
}

/**
 * Finds the body that must give way: no client, and no member of a client, may hold more than an equal share while
 * another one with less needs room. The largest holder gives way with its least recently active body.
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
  // A party that was turned away meanwhile has no share anymore.
  if (isOver(parties.get(partyIn[scope](asking)) ?? [])) return undefined
  const largest = (some: Iterable<Body[]>): Body[] =>
    [...some].toSorted((one, other) => shareOf(other) - shareOf(one))[0] ?? []
  const coming = (party: readonly Body[]) => party.filter(({ isComing }) => isComing)
  const giving = largest([...parties.values()].filter((party) => isOver(party)).map(coming))
  return slowestOf(largest(Map.groupBy(giving, partyIn.client).values()))
}

/** The parties that share the room in each scope. */
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
