import { expect, test } from 'vitest'
import { listBroken, listPromised, readPromised, type Promised } from '../../scripts/release/stable-api.ts'

test('the contract keeps what the last release promised (docs/reference/compatibility.md)', () => {
  const promised = readPromised()
  expect(promised.size).toBeGreaterThan(3000)
  expect(listBroken(promised, listPromised())).toEqual([])
})

const field = (types: string, isRequired = true) => ({ isRequired, types: new Set(types.split(' | ')) })
const before: Promised = new Map([
  ['POST orders > body', field('object')],
  ['POST orders > body.method', field('"btc" | "eth"')],
  ['POST orders > body.note', field('string', false)],
  ['POST orders < body', field('object')],
  ['POST orders < body.status', field('"paid" | "open"')],
  ['POST orders < body.paidAt', field('null | string')],
])
const withField = (name: string, value: ReturnType<typeof field> | undefined): Promised => {
  const fields = new Map(before)
  if (value) fields.set(name, value)
  else fields.delete(name)
  return fields
}

test.for([
  ['a field of a response is missing', 'POST orders < body.status', undefined],
  ['a field of a response became optional', 'POST orders < body.status', field('"paid" | "open"', false)],
  ['a field of a response has another type', 'POST orders < body.status', field('number')],
  ['a field of a response can become null', 'POST orders < body.status', field('null | string')],
  ['a field of a request is missing', 'POST orders > body.note', undefined],
  ['a field of a request became required', 'POST orders > body.note', field('string')],
  ['a request accepts fewer values', 'POST orders > body.method', field('"btc"')],
  ['a request has a new required field', 'POST orders > body.memo', field('string')],
] as const)('reports that %s', ([, name, value]) => {
  expect(listBroken(before, withField(name, value))).toEqual([expect.stringContaining(name)])
})

test.for([
  ['a response has a new field', 'POST orders < body.memo', field('string')],
  [
    'a response has a new value of a list',
    'POST orders < body.status',
    field('"paid" | "open" | "refunded"'),
  ],
  ['a response is never null anymore', 'POST orders < body.paidAt', field('string')],
  ['a request accepts any text', 'POST orders > body.method', field('string')],
  ['a request has a new optional field', 'POST orders > body.memo', field('string', false)],
  ['an endpoint is new', 'POST refunds > body.memo', field('string')],
] as const)('allows that %s', ([, name, value]) => {
  expect(listBroken(before, withField(name, value))).toEqual([])
})
