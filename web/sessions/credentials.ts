import type { ZodMiniType } from 'zod/mini'
import { emailLengthMax, emailPattern, passwordLengthMax } from '#contract/platform/patterns.ts'

export type Credentials = { email: string; password: string }

type Field = {
  checks: readonly ({ maximum: number } | { pattern: RegExp })[]
  problemOf: (value: string) => Issue | undefined
}
type Issue = { message: string; maximum?: number }

const field = (maximum: number, pattern?: RegExp, problem = 'invalid'): Field => ({
  checks: [{ maximum }, ...(pattern ? [{ pattern }] : [])],
  problemOf: (value) => {
    if (value === '') return { message: 'required' }
    if (value.length > maximum) return { message: 'too_long', maximum }
    return pattern && !pattern.test(value) ? { message: problem } : undefined
  },
})

const fields = {
  email: field(emailLengthMax, emailPattern, 'email'),
  password: field(2 * passwordLengthMax),
}

const asGiven = (name: string, value: unknown): string => {
  const text = typeof value === 'string' ? value : ''
  return name === 'email' ? text.trim().toLowerCase() : text
}

/** Mimics the part of the schema library's result that forms use. */
const answer = <Data>(data: Data, issues: readonly (Issue & { path: string[] })[]) =>
  issues.length > 0 ? { success: false, error: { issues } } : { success: true, data }

/** Mimics the part of a schema from which forms read a field's limits. */
const describe = (name: keyof typeof fields) => ({
  _zod: { def: { checks: fields[name].checks.map((def) => ({ _zod: { def } })) } },
  safeParse: (value: unknown) => {
    const problem = fields[name].problemOf(asGiven(name, value))
    return answer(value, problem ? [{ ...problem, path: [] }] : [])
  },
})

/**
 * The contract's `email` and `currentPassword` as a schema for forms, without the schema library, which would only
 * delay signing in. The server validates the values again, and a test compares this schema with the contract.
 */
export const credentials = {
  _zod: { def: { shape: { email: describe('email'), password: describe('password') } } },
  safeParse: (values: Partial<Credentials>) => {
    const data = { email: asGiven('email', values.email), password: asGiven('password', values.password) }
    const issues = (['email', 'password'] as const).flatMap((name) => {
      const problem = fields[name].problemOf(data[name])
      return problem ? [{ ...problem, path: [name] }] : []
    })
    return answer(data, issues)
  },
} as unknown as ZodMiniType<Credentials, Credentials>
