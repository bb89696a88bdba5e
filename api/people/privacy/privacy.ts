import type { Module } from '../../platform/module.ts'
import { makeErasure } from './erase-member.ts'
import { makeExport } from './export-member.ts'

/** Members' rights over their data: export, and erasure with its preview. Iterates over what the modules declare. */
export const privacy = (modules: readonly Module[]) =>
  ({ calls: { exportMember: makeExport(modules), ...makeErasure(modules) } }) satisfies Module
