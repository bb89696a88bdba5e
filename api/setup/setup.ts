import { collectHandlers, type Module } from '../platform/module.ts'
import * as setupHandlers from './setup-handlers.ts'

/** The checklist of a new installation, which health checks fill in. */
export const setup = { calls: collectHandlers(setupHandlers) } satisfies Module
