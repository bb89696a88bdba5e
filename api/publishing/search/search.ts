import { collectHandlers, type Module } from '../../platform/module.ts'
import * as searchHandlers from './search-site.ts'

/** The search of the whole public site. */
export const search = { calls: collectHandlers(searchHandlers) } satisfies Module
