import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { SECOND } from '#contract/platform/durations.ts'
import type { EndpointName } from '#contract/api.ts'
import { challengeLife, messageOf, type Work } from '#contract/platform/proof-of-work.ts'
import type { Keys } from '../keys.ts'

/** Binds a challenge to an endpoint and a client: solving it for others is useless. */
type WorkFor = { call: EndpointName; client: string }

/** Many small parts take about the same time each time, unlike one large part, whose time varies widely. */
const parts = 16
const range = 2 ** 32
const macBytes = 16
/** Header: expiry in seconds, difficulty, and a unique nonce. */
const headBytes = { expires: 4, below: 4, parts: 1, nonce: 7 }
const headLength = headBytes.expires + headBytes.below + headBytes.parts + headBytes.nonce

/** A list of numbers, up to the maximum of any release's challenges. */
const solution = /^([\w-]{43}):(\d{1,10}(?:,\d{1,10}){0,63})$/

/** Creates a challenge that takes about `tries` tries. It is not stored: its signature identifies it. */
export function makeChallenge(keys: Keys, workFor: WorkFor, tries: number, now: number): Work {
  const below = Math.max(1, Math.min(range - 1, Math.floor((range * parts) / tries)))
  const head = Buffer.alloc(headLength)
  head.writeUInt32BE(Math.floor((now + challengeLife) / SECOND), 0)
  head.writeUInt32BE(below, headBytes.expires)
  head.writeUInt8(parts, headBytes.expires + headBytes.below)
  randomBytes(headBytes.nonce).copy(head, headLength - headBytes.nonce)
  const challenge = Buffer.concat([head, sign(keys, workFor, head)]).toString('base64url')
  return { challenge, parts, below }
}

export type Solved = { id: string; expiresAt: Date }

/**
 * Returns the solved challenge; undefined unless the solution is correct, in time, and for this endpoint and client.
 */
export function readSolved(keys: Keys, workFor: WorkFor, given: string, now: number): Solved | undefined {
  const [, challenge = '', list = ''] = solution.exec(given) ?? []
  const bytes = Buffer.from(challenge, 'base64url')
  // Accepts only the canonical text for these bytes.
  if (bytes.length !== headLength + macBytes || bytes.toString('base64url') !== challenge) return undefined
  const head = bytes.subarray(0, headLength)
  const mac = bytes.subarray(headLength)
  if (!timingSafeEqual(mac, sign(keys, workFor, head))) return undefined
  const expiresAt = new Date(head.readUInt32BE(0) * SECOND)
  if (expiresAt.getTime() <= now) return undefined
  const numbers = list.split(',').map(Number)
  const below = head.readUInt32BE(headBytes.expires)
  const isSolved =
    numbers.length === head.readUInt8(headBytes.expires + headBytes.below) &&
    numbers.every((number, part) => beginningOf(messageOf(challenge, part, number)) < below)
  return isSolved ? { id: mac.toString('base64url'), expiresAt } : undefined
}

const beginningOf = (message: string): number => hash('sha256', message, 'buffer').readUInt32BE(0)

const sign = (keys: Keys, { call, client }: WorkFor, head: Buffer): Buffer =>
  keys
    .prove('proof of work', Buffer.concat([head, Buffer.from(JSON.stringify([call, client]))]))
    .subarray(0, macBytes)
