import type { z } from 'zod'
import { ruleCodes, type RuleCode } from '#contract/publishing/content-rules.ts'
import { isRecord } from '../../../platform/is-record.ts'
import { WHOLE_FILE, type Found, type RuleValues } from './problem.ts'

type Issue = z.core.$ZodIssue

type Checked = { data: unknown; found: readonly Found[] }

/** Values already checked are not checked again: most of the content is unchanged since the last check. */
const known = new WeakMap<object, { file: string; checked: Checked }>()

/** Validates one file with a schema. Values must not change after they were passed in. */
export function checkSchema(file: string, schema: z.ZodType, value: unknown): Checked {
  const isObject = typeof value === 'object' && value !== null
  const before = isObject ? known.get(value) : undefined
  if (before?.file === file) return before.checked
  const checked = check(file, schema, value)
  if (isObject) known.set(value, { file, checked })
  return checked
}

function check(file: string, schema: z.ZodType, value: unknown): Checked {
  const { data, error } = schema.safeParse(value)
  const found = (error?.issues ?? []).map((each) => ({
    file,
    place: placeOf(value, each.path),
    ...ruleOf(each),
  }))
  return { data, found }
}

function ruleOf(found: Issue): { code: RuleCode; values?: RuleValues } {
  if (found.code === 'custom' && isRule(found.params?.['rule']))
    return { code: found.params['rule'], values: found.params['values'] as RuleValues }
  if (isRule(found.message)) return { code: found.message }
  if (found.code === 'unrecognized_keys')
    return { code: 'unknown_key', values: { keys: found.keys.join(', ') } }
  if (found.message.endsWith('received undefined')) return { code: 'missing' }
  if (found.code === 'too_small' && found.origin === 'string') return { code: 'empty' }
  if (found.code === 'too_big' && found.origin === 'string')
    return { code: 'too_long', values: { max: Number(found.maximum) } }
  return countedRule(found) ?? { code: 'not_a_value', values: { detail: found.message } }
}

/** Returns the rule broken by a number, list, or choice. */
function countedRule(found: Issue): { code: RuleCode; values?: RuleValues } | undefined {
  if (found.code === 'invalid_value')
    return { code: 'choice', values: { values: found.values.map(String).join(', ') } }
  if (found.code === 'invalid_type' && numbers.includes(found.expected)) return { code: 'number' }
  if (found.code !== 'too_small' && found.code !== 'too_big') return undefined
  if (numbers.includes(found.origin)) return { code: 'number' }
  if (found.origin !== 'array') return undefined
  return found.code === 'too_small'
    ? { code: 'too_few', values: { min: Number(found.minimum) } }
    : { code: 'too_many', values: { max: Number(found.maximum) } }
}

const numbers: readonly string[] = ['number', 'int', 'float']

const isRule = (name: unknown): name is RuleCode => (ruleCodes as readonly unknown[]).includes(name)

/** Returns the path with each entry's ID instead of its index: `some-entry.cn.title`. */
function placeOf(value: unknown, path: readonly PropertyKey[]): string {
  let at = value
  const steps = path.map((step) => {
    at = isRecord(at) || Array.isArray(at) ? (at as Record<PropertyKey, unknown>)[step] : undefined
    const id = isRecord(at) ? at['id'] : undefined
    return typeof step === 'number' && typeof id === 'string' ? id : String(step)
  })
  return steps.join('.') || WHOLE_FILE
}
