import { MIB } from '#contract/fields.ts'
import { Refused } from '../refused.ts'

/** What may be under way at once, in bytes of bodies: of one member, of one client, and of all. */
export type SlotLimits = { member: number; client: number; all: number }

/** One application with a photo sent ahead; four applications of one office; eight of everybody, which is also what they need of the disk. */
const usualLimits: SlotLimits = { member: 128 * MIB, client: 384 * MIB, all: 768 * MIB }
/** A body counts as one photo at least, so that the number of bodies is bounded, too. */
const slotMin = 15 * MIB
const retryAfterSeconds = 5

export type Uploader = { memberId: string; client: string }

export type Slot = {
  /** The body is here, and so large: what it does not need is room for others. */
  keep(bytes: number): void
  /** Called once. */
  giveBack(): void
}

export type UploadSlots = {
  /** Refused at once where there is no room. */
  take(who: Uploader, bytes: number): Slot
}

/** Large bodies take room before a byte of them is read, and give it back when they are answered. */
export function makeUploadSlots(limits: SlotLimits = usualLimits): UploadSlots {
  const taken = new Map<string, number>()
  const add = (key: string, bytes: number) => {
    const now = (taken.get(key) ?? 0) + bytes
    if (now > 0) taken.set(key, now)
    else taken.delete(key)
  }
  return {
    take({ memberId, client }, given) {
      let bytes = Math.max(given, slotMin)
      const own = { key: `member ${memberId}`, max: limits.member, code: 'rate_limited' } as const
      const shared = [
        { key: `client ${client}`, max: limits.client, code: 'rate_limited' },
        { key: 'all', max: limits.all, code: 'unavailable' },
      ] as const
      for (const { key, max, code } of [own, ...shared])
        if ((taken.get(key) ?? 0) + bytes > max) throw new Refused(code, { retryAfterSeconds })
      const ownBytes = bytes
      for (const { key } of [own, ...shared]) add(key, bytes)
      const keep = (kept: number) => {
        for (const { key } of shared) add(key, kept - bytes)
        bytes = kept
      }
      return {
        keep: (received) => keep(Math.min(bytes, received)),
        giveBack() {
          keep(0)
          add(own.key, -ownBytes)
        },
      }
    },
  }
}
