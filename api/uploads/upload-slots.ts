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
  /** So many more bytes are here. Refused where they have no room. */
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
  end: (refused: Refused) => void
}

/** Large bodies take room as they come, and give it back when they are answered. */
export function makeUploadSlots(limits = usualLimits, now = () => performance.now()): UploadSlots {
  const bodies = new Set<Body>()

  const isOver = (sharing: readonly Body[], max: Room, scope: Scope, bytes: number): boolean => {
    const taken = sharing.reduce((sum, body) => sum + body.taken, bytes)
    // What waits to be answered is its member's own affair.
    const open = sharing.filter(({ isComing }) => isComing || scope === 'member')
    return taken > max.bytes || open.length > max.bodies
  }

  /** For `bytes` more of a body that is among `bodies` already. */
  function requireRoom(asking: Body, bytes: number): void {
    for (const scope of ['member', 'client', 'all'] as const) {
      const { large, ...whole } = limits[scope]
      for (const [max, isLargeOnly] of [[whole, false] as const, [large, true] as const]) {
        if (isLargeOnly && !asking.isLarge) continue
        const list = () =>
          [...bodies].filter((body) => isIn(scope, asking, body) && (body.isLarge || !isLargeOnly))
        for (let sharing = list(); isOver(sharing, max, scope, bytes); sharing = list()) {
          const refused = new Refused(scope === 'all' ? 'unavailable' : 'rate_limited', { retryAfterSeconds })
          const slowest = sharing
            .filter((body) => body !== asking && body.isComing && now() - body.steppedAt >= stale)
            .toSorted((one, other) => one.steppedAt - other.steppedAt)[0]
          if (!slowest) throw refused
          bodies.delete(slowest)
          slowest.end(refused)
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
        end,
      }
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
          body.bytes += bytes
          while (body.bytes > body.taken) step()
        },
        complete: () => void (body.isComing = false),
        giveBack: () => void bodies.delete(body),
      }
    },
  }
}

const isIn = (scope: Scope, one: Uploader, other: Uploader): boolean =>
  scope === 'all' || (scope === 'client' ? one.client === other.client : one.memberId === other.memberId)
