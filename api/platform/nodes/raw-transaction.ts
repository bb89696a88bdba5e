import { createHash } from 'node:crypto'
import { decimalPlaces } from '#contract/platform/decimal.ts'
import type { Moved } from './block-source.ts'
import { NodeFailure } from './node-failure.ts'

/** 10^-8 of the coin, in our unit. */
const unit = 10n ** BigInt(decimalPlaces - 8)

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
/** Formats a hash as nodes do: with its bytes reversed. */
const hashOf = (...parts: readonly Uint8Array[]): string =>
  Buffer.from(sha256(sha256(...parts)).reverse()).toString('hex')

/** Returns the hash of the script, by which Electrum servers identify it. */
export const electrumHashOf = (script: string): string =>
  Buffer.from(sha256(Buffer.from(script, 'hex')).reverse()).toString('hex')

const isHex = /^(?:[\da-f]{2})+$/i
export function bytesOf(hex: string): Buffer {
  if (!isHex.test(hex)) throw new NodeFailure('not_understood')
  return Buffer.from(hex, 'hex')
}

/** Reads the binary format of Bitcoin nodes. Throws if anything points beyond the end. */
class Reader {
  readonly bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  skip(count: number): number {
    const from = this.at
    if (count < 0 || from + count > this.bytes.length) throw new NodeFailure('not_understood')
    this.at = from + count
    return from
  }
  take = (count: number): Buffer => this.bytes.subarray(this.skip(count), this.at)
  byte = (): number => this.bytes.readUInt8(this.skip(1))
  uint32 = (): number => this.bytes.readUInt32LE(this.skip(4))
  uint64 = (): bigint => this.bytes.readBigUInt64LE(this.skip(8))
  /** Reads a count or length of 1, 3, 5, or 9 bytes. */
  size(): number {
    const first = this.byte()
    if (first < 0xfd) return first
    if (first === 0xfd) return this.bytes.readUInt16LE(this.skip(2))
    return first === 0xfe ? this.uint32() : Number(this.uint64())
  }
}

export type RawHeader = { hash: string; parent: string; at: Date }
const headerBytes = 80

export function readHeader(bytes: Buffer): RawHeader {
  if (bytes.length < headerBytes) throw new NodeFailure('not_understood')
  return {
    hash: hashOf(bytes.subarray(0, headerBytes)),
    parent: Buffer.from(bytes.subarray(4, 36)).reverse().toString('hex'),
    at: new Date(bytes.readUInt32LE(68) * 1000),
  }
}

/** Reads a block: its header and the outputs of its transactions. */
export function readBlock(bytes: Buffer): RawHeader & { moved: Moved[] } {
  const header = readHeader(bytes)
  const reader = new Reader(bytes)
  reader.skip(headerBytes)
  const moved: Moved[] = []
  for (let count = reader.size(); count > 0; count -= 1) moved.push(...readNext(reader))
  if (reader.at !== bytes.length) throw new NodeFailure('not_understood')
  return { ...header, moved }
}

export function readTransaction(bytes: Buffer): Moved[] {
  const reader = new Reader(bytes)
  const moved = readNext(reader)
  if (reader.at !== bytes.length) throw new NodeFailure('not_understood')
  return moved
}

/** Reads the next transaction. Its ID is the hash without its witnesses (BIP-141). */
function readNext(reader: Reader): Moved[] {
  const start = reader.skip(4)
  const version = reader.bytes.subarray(start, reader.at)
  const hasWitness = reader.bytes[reader.at] === 0
  if (hasWitness && reader.take(2)[1] !== 1) throw new NodeFailure('not_understood')
  const bodyAt = reader.at
  const inputs = reader.size()
  for (let left = inputs; left > 0; left -= 1) {
    reader.skip(36)
    reader.skip(reader.size())
    reader.skip(4)
  }
  const outputs: Pick<Moved, 'output' | 'target' | 'amount'>[] = []
  const count = reader.size()
  for (let output = 0; output < count; output += 1) {
    const amount = reader.uint64() * unit
    const target = reader.take(reader.size()).toString('hex')
    if (amount > 0n) outputs.push({ output, target, amount })
  }
  const body = reader.bytes.subarray(bodyAt, reader.at)
  if (hasWitness)
    for (let left = inputs; left > 0; left -= 1)
      for (let items = reader.size(); items > 0; items -= 1) reader.skip(reader.size())
  const txId = hashOf(version, body, reader.take(4))
  return outputs.map((each) => ({ txId, ...each }))
}
