import type { StaffRight } from '#contract/endpoint.ts'

export const staff = { guard: 'staff', rendered: 'shell', description: 'console.description' } as const

/** Common properties of console pages for members with at least this right. */
export const reads = <Right extends StaffRight>(level: Right) =>
  ({ ...staff, needs: { level, atLeast: 1 } }) as const
