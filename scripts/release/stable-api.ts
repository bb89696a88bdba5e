import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { settingAreas } from '#api/platform/config/settings.ts'
import { api } from '#contract/api.ts'
import { webhookBody, webhookData, type WebhookEventType } from '#contract/integrations/webhook-events.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { tokenUseOf } from '#contract/token-endpoints.ts'

/* What clients and operators can rely on (docs/reference/compatibility.md): one line for each field of a request,
   response, or webhook, and for each setting. `contract/stable-api.txt` has the lines of the last release. */

const file = fileURLToPath(new URL('../../contract/stable-api.txt', import.meta.url))

/** Endpoints that only the console uses change with it. */
const isPromised = ([name, { access }]: [string, Endpoint]): boolean =>
  access.who !== 'staff' || tokenUseOf(name) !== undefined

type JsonSchema = z.core.JSONSchema.BaseSchema
type Field = { isRequired: boolean; types: Set<string> }

/** Fields by their names, such as `GET orders/:id > query.page` (request) or `GET orders/:id < body.status` (response). */
export type Promised = ReadonlyMap<string, Field>

const jsonSchemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })

/** Lists what the contract promises now. */
export function listPromised(): Promised {
  const fields = new Map<string, Field>()
  for (const [, { method, path, params, query, body, output, returnsBytes }] of Object.entries<Endpoint>(
    api,
  ).filter(isPromised)) {
    const call = `${method} ${path}`
    for (const [name, schema] of Object.entries({ params, query, body }))
      if (schema) addFields(fields, `${call} > ${name}`, jsonSchemaOf(schema, 'input'), true)
    addFields(fields, `${call} < body`, returnsBytes ? {} : jsonSchemaOf(output, 'output'), true)
  }
  for (const type of Object.keys(webhookData) as WebhookEventType[])
    addFields(fields, `webhook ${type} < body`, jsonSchemaOf(webhookBody(type), 'output'), true)
  for (const { names } of Object.values(settingAreas).flat())
    for (const name of names) fields.set(`setting ${name}`, { isRequired: false, types: new Set(['string']) })
  return fields
}

/** A field of several variants is required if it is required in each. */
function addFields(fields: Map<string, Field>, name: string, schema: JsonSchema, isRequired: boolean): void {
  const variants = schema.anyOf ?? schema.oneOf
  const field = fields.get(name) ?? { isRequired, types: new Set() }
  fields.set(name, { ...field, isRequired: field.isRequired && isRequired })
  if (variants) {
    addVariants(fields, name, variants, isRequired)
    return
  }
  for (const type of typesOf(schema)) field.types.add(type)
  for (const [key, inner] of Object.entries(schema.properties ?? {}))
    addFields(fields, `${name}.${key}`, inner as JsonSchema, schema.required?.includes(key) ?? false)
  for (const [key, inner] of Object.entries({ '[]': schema.items, '.*': schema.additionalProperties }))
    if (typeof inner === 'object' && !Array.isArray(inner)) addFields(fields, name + key, inner, true)
}

/** The accepted values if they are listed, otherwise the kinds of values. */
const typesOf = ({ type, enum: values, const: value }: JsonSchema): string[] =>
  values || value !== undefined
    ? (values ?? [value]).map((each) => JSON.stringify(each))
    : [type ?? 'any'].flat()

function addVariants(
  fields: Map<string, Field>,
  name: string,
  variants: readonly JsonSchema[],
  isRequired: boolean,
): void {
  const each = variants.map((variant) => {
    const own = new Map<string, Field>()
    addFields(own, name, variant, isRequired)
    return own
  })
  const objects = each.filter((own) => own.get(name)!.types.has('object'))
  for (const own of each)
    for (const [key, { isRequired: isNeeded, types }] of own) {
      const known = fields.get(key)
      const isEverywhere = key === name || objects.every((other) => other.has(key))
      fields.set(key, {
        isRequired: isNeeded && isEverywhere && (known?.isRequired ?? true),
        types: new Set([...(known?.types ?? []), ...types]),
      })
    }
}

const lineOf = ([name, { isRequired, types }]: [string, Field]): string =>
  `${name}${isRequired ? '' : '?'}: ${[...types].sort().join(' | ')}`

/** Reads what the last release promised. */
export function readPromised(): Promised {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return new Map(
    lines.map((line) => {
      const [, name, optional, types] = /^(.+?)(\?)?: (.+)$/.exec(line)!
      return [name!, { isRequired: optional === undefined, types: new Set(types!.split(' | ')) }]
    }),
  )
}

/** Records what the contract promises now. A release calls it. */
export function recordPromised(): void {
  writeFileSync(file, `${[...listPromised()].map(lineOf).sort().join('\n')}\n`)
}

/**
 * Lists what was promised and isn't true anymore. Responses can gain fields and values of known lists; requests can gain
 * optional fields and further accepted values.
 */
export function listBroken(promised: Promised, now: Promised): string[] {
  const changed = [...promised].flatMap(([name, before]) => {
    const field = now.get(name)
    const change = field
      ? (isOfRequest(name) ? changeOfRequest : changeOfResponse)(before, field)
      : 'is missing'
    return change === undefined ? [] : [`${name} ${change}`]
  })
  const added = [...now].flatMap(([name, { isRequired }]) =>
    isRequired && isOfRequest(name) && !promised.has(name) && promised.has(parentOf(name))
      ? [`${name} is new and required`]
      : [],
  )
  return [...changed, ...added]
}

const isOfRequest = (name: string): boolean => name.includes(' > ')
const parentOf = (name: string): string => name.replace(/(?:\.[^.]+|\[\])$/, '')

function changeOfRequest(before: Field, now: Field): string | undefined {
  if (now.isRequired && !before.isRequired) return 'became required'
  return [...before.types].every((type) => accepts(now.types, type)) ? undefined : 'accepts less'
}

function changeOfResponse(before: Field, now: Field): string | undefined {
  if (before.isRequired && !now.isRequired) return 'became optional'
  const kinds = kindsOf(before.types)
  return [...kindsOf(now.types)].every((kind) => accepts(kinds, kind)) ? undefined : 'has another type'
}

const accepts = (types: ReadonlySet<string>, type: string): boolean =>
  types.has(type) || types.has('any') || (type.startsWith('"') && types.has('string'))

/** Lists of values in responses can grow, so only their kind counts. */
const kindOf = (type: string): string =>
  type.startsWith('"')
    ? 'string'
    : /^-?\d/.test(type)
      ? 'number'
      : /^(?:true|false)$/.test(type)
        ? 'boolean'
        : type
const kindsOf = (types: ReadonlySet<string>): Set<string> => new Set([...types].map(kindOf))

// Not `import.meta.main`, because node may have been started with run.mjs.
if (process.argv[1] === import.meta.filename) recordPromised()
