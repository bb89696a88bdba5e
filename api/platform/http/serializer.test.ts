import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { makeSerializer } from './serializer.ts'

const leak = 'of nobody’s business'

type Def = {
  type: string
  format?: string
  shape?: Record<string, z.ZodMiniType>
  element?: z.ZodMiniType
  innerType?: z.ZodMiniType
  valueType?: z.ZodMiniType
  options?: z.ZodMiniType[]
  values?: unknown[]
  entries?: Record<string, unknown>
}

/**
 * A value of the schema, with an extra field in each record that the schema does not name. `n` selects one of
 * several.
 */
function sampleOf(schema: z.ZodMiniType, n: number): unknown {
  const def = schema.def as unknown as Def
  const pick = <T>(values: readonly T[]): T => values[n % values.length]!
  if (def.type === 'string')
    return pick(['text', '1999-01-31', 'a@b.example', '"quoted"\n中文', '0'.repeat(64)])
  if (def.type === 'number') return pick([0, 1, 2])
  if (def.type === 'boolean') return pick([true, false])
  if (def.type === 'literal') return pick(def.values!)
  if (def.type === 'enum') return pick(Object.values(def.entries!))
  if (def.type === 'null') return null
  if (def.type === 'optional') return n % 3 === 0 ? undefined : sampleOf(def.innerType!, n)
  if (def.type === 'nullable') return n % 4 === 0 ? null : sampleOf(def.innerType!, n)
  if (def.type === 'array') return [0, 1].map((each) => sampleOf(def.element!, n + each))
  if (def.type === 'record') return { one: sampleOf(def.valueType!, n), two: sampleOf(def.valueType!, n + 1) }
  if (def.type === 'union') return sampleOf(pick(def.options!), n)
  if (def.type !== 'object') return { anything: n }
  const fields = Object.entries(def.shape!).map(([name, field], at) => [name, sampleOf(field, n + at)])
  return { ...Object.fromEntries(fields), password_hash: leak }
}

const endpoints: [string, Endpoint][] = Object.entries(api)

test("every answer equals the contract's own output, without unknown columns", () => {
  let compared = 0
  for (const [name, { output }] of endpoints) {
    const serialise = makeSerializer(output)
    for (let n = 0; n < 8; n += 1) {
      const sample = sampleOf(output, n)
      const read = output.safeParse(sample)
      // An invalid sample must fail in both.
      if (!read.success) expect([name, () => serialise(sample)][1]).toThrow()
      else {
        expect([name, serialise(sample)]).toEqual([name, JSON.stringify(read.data)])
        compared += 1
      }
    }
  }
  expect(compared).toBeGreaterThan(endpoints.length * 4)
})

test('an unknown column is never sent, at any depth', () => {
  const row = z.object({
    id: z.string(),
    inner: z.object({ n: z.int() }),
    list: z.array(z.object({ at: z.string() })),
  })
  const given = {
    id: 'a',
    leak,
    inner: { n: 1, leak },
    list: [{ at: 'now', leak }],
    __proto__: { leak },
  }
  expect(makeSerializer(row)(given)).toBe('{"id":"a","inner":{"n":1},"list":[{"at":"now"}]}')
})

test.each([
  ['a string', z.object({ a: z.string() }), { a: 1 }],
  ['what must be there', z.object({ a: z.string() }), {}],
  ['a record', z.object({ a: z.string() }), null],
  ['a list', z.array(z.string()), 'text'],
  ['a number that is one', z.number(), Number.NaN],
  ['a whole number', z.int(), 1.5],
  ['one of several', z.enum(['a', 'b']), 'c'],
  ['one of some literals', z.union([z.literal(0), z.literal(1)]), 2],
  ['a shape of several', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), { c: 1 }],
  ['what a check asks for', z.string().check(z.maxLength(2)), 'abc'],
])('a value that is not %s is refused as the schema refuses it', (_, schema, value) => {
  expect(() => makeSerializer(schema as z.ZodMiniType)(value)).toThrow(z.core.$ZodError)
})

test('applies transformations of the schema', () => {
  expect(makeSerializer(z.string().check(z.trim()))(' a ')).toBe('"a"')
  expect(makeSerializer(z.object({ a: z._default(z.string(), 'b') }))({})).toBe('{"a":"b"}')
})
