import type { Module } from '../module.ts'
import type { api } from '#contract/api.ts'
import type { Handler } from '../http/handler.ts'

const checkHealth: Handler<typeof api.checkHealth> = async () => ({ status: 'ok' })

/** Reports that the process is alive, for operators. */
export const operations = { calls: { checkHealth } } satisfies Module
