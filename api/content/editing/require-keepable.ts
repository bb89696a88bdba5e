import { isRecord } from '../../is-record.ts'
import { refusedField } from '../../refused.ts'
import { brandParts, kindOf } from './piece.ts'

/** Longer than any rule allows, so that what is too long can be kept and named. */
const textLengthMax = 20_000
const depthMax = 12

/** Drafts may break the rules of content; they may not be what nobody could keep or show. */
export function requireKeepable(piece: string, place: string, value: unknown): void {
  const path = `changes.${place}`
  const kind = kindOf(piece)
  if (value === null) return
  // A PDF comes into a draft by its upload alone, which looks at its bytes.
  if (kind === 'document') throw refusedField(path, 'separately')
  if (kind === 'messages' && typeof value !== 'string') throw refusedField(path, 'invalid')
  if (kind === 'brand' && !isRecord(value)) throw refusedField(path, 'invalid')
  if (kind === 'brand') {
    const strange = Object.keys(value as object).find(
      (key) => !(brandParts as readonly string[]).includes(key),
    )
    if (strange !== undefined) throw refusedField(`changes.${strange}`, 'unknown')
  }
  if (kind === 'facts' && !isRecord(value) && !Array.isArray(value)) throw refusedField(path, 'invalid')
  walk(path, value, 0)
}

function walk(path: string, value: unknown, depth: number): void {
  if (depth > depthMax) throw refusedField(path, 'invalid')
  if (typeof value === 'string') {
    if (value.length > textLengthMax) throw refusedField(path, 'too_long', { max: textLengthMax })
    // Neither can be stored.
    if (value.includes('\0') || !value.isWellFormed()) throw refusedField(path, 'invalid')
  } else if (Array.isArray(value)) for (const each of value) walk(path, each, depth + 1)
  else if (isRecord(value))
    for (const [key, each] of Object.entries(value)) {
      if (key === '__proto__' || key.includes('\0') || !key.isWellFormed())
        throw refusedField(path, 'invalid')
      walk(path, each, depth + 1)
    }
}
