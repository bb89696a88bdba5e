/**
 * The caller's role. `owner` acts on their own record; every role after `other` acts on another member's record with
 * exactly the right in its name.
 */
export const roles = [
  'stranger',
  'expired',
  'inactive',
  'owner',
  'other',
  'news1',
  'news2',
  'employee1',
  'employee2',
  'finance1',
  'finance2',
  'coins1',
  'coins2',
  'admin',
] as const
export type Role = (typeof roles)[number]

export type Expectation = {
  /** Method and path, relative to the versioned base, as in the contract's document. */
  call: string
  success: 200 | 201 | 202
  may: readonly Role[]
  /** The error for signed-in callers without the right, `forbidden` by default. */
  otherwise?: 'not_found'
}

export const anyone = roles
export const signedIn = roles.filter((role) => !['stranger', 'expired', 'inactive'].includes(role))
export const owner = ['owner'] as const
export const news1 = ['news1', 'news2', 'admin'] as const
export const news2 = ['news2', 'admin'] as const
export const employee1 = ['employee1', 'employee2', 'admin'] as const
export const employee2 = ['employee2', 'admin'] as const
// Administrators have no additional access here.
export const finance1 = ['finance1', 'finance2'] as const
export const finance2 = ['finance2'] as const
export const admin = ['admin'] as const
export const coins1 = ['coins1', 'coins2'] as const
export const coins2 = ['coins2'] as const
/** Any staff right. */
export const anyStaff = [...news1, ...employee1.slice(0, 2), ...finance1, ...coins1] as const
