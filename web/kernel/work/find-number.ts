import { sha256 } from '@noble/hashes/sha2.js'
import { messageOf } from '#contract/platform/proof-of-work.ts'

/** Finds the first number that solves a part of a challenge (`contract/platform/proof-of-work.ts`). */
export function findNumber(challenge: string, part: number, below: number): number {
  const head = new TextEncoder().encode(messageOf(challenge, part, 0).slice(0, -1))
  // Digits are written in place, because creating a string for each attempt would take as long as hashing it.
  const message = new Uint8Array(head.length + 16)
  message.set(head)
  for (let number = 0; ; number += 1) {
    const digits = String(number)
    for (let at = 0; at < digits.length; at += 1) message[head.length + at] = digits.charCodeAt(at)
    const [a, b, c, d] = sha256(message.subarray(0, head.length + digits.length))
    if (((a! << 24) | (b! << 16) | (c! << 8) | d!) >>> 0 < below) return number
  }
}
