import type { z } from 'zod'
import type { api } from '#contract/api.ts'
import type { ContentShape } from '#contract/publishing/content-shapes.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { address, day, kebab, month, photo } from '../rules/entry-parts.ts'
import { factSchemas } from '../rules/fact-schemas.ts'
import { baseFiles, brandParts, changesAsWhole, itemsOf } from './content-item.ts'

export const getContentShape: Handler<typeof api.getContentShape> = async ({ query: { piece } }) => {
  if (!changesAsWhole(piece) || !itemsOf(baseFiles()).includes(piece)) throw new Refused('not_found')
  const shape = shapeOf(factSchemas[piece as keyof typeof factSchemas])
  if (piece !== 'brand.json' || shape.kind !== 'object') return { shape }
  const fields = shape.fields.filter(({ name }) => (brandParts as readonly string[]).includes(name))
  return { shape: { kind: 'object', fields } }
}

/** Schemas with a form field of their own. */
const known = new Map<unknown, ContentShape>([
  [kebab, { kind: 'id' }],
  [address, { kind: 'address' }],
  [day, { kind: 'day' }],
  [month, { kind: 'month' }],
  [photo, { kind: 'photo' }],
])

/** The form fields for values of this schema. An unsupported kind of schema is an error. */
export function shapeOf(schema: z.core.$ZodType): ContentShape {
  const found = known.get(schema)
  if (found) return found
  const { def } = schema._zod as { def: z.core.$ZodTypeDef }
  if (def.type === 'string')
    return { kind: (def as z.core.$ZodStringFormatDef).format === 'email' ? 'email' : 'text' }
  if (def.type === 'number') return { kind: 'number' }
  if (def.type === 'boolean') return { kind: 'flag' }
  if (def.type === 'literal') return { kind: 'mark', value: (def as z.core.$ZodLiteralDef<string>).values[0] }
  if (def.type === 'enum')
    return { kind: 'choice', options: Object.values((def as z.core.$ZodEnumDef).entries).map(String) }
  if (def.type === 'array') return { kind: 'list', item: shapeOf((def as z.core.$ZodArrayDef).element) }
  if (def.type === 'record') return { kind: 'named', item: shapeOf((def as z.core.$ZodRecordDef).valueType) }
  if (def.type === 'optional' || def.type === 'default')
    return shapeOf((def as z.core.$ZodOptionalDef).innerType)
  if (def.type === 'object')
    return {
      kind: 'object',
      fields: Object.entries((def as z.core.$ZodObjectDef).shape).map(([name, each]) => ({
        name,
        isOptional: each._zod.def.type === 'optional',
        shape: shapeOf(each),
      })),
    }
  throw new Error(`no form for ${def.type}`)
}
