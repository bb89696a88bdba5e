import type { Module } from '../module.ts'
import { startBackups } from './start-backups.ts'

/** Backups that the product makes by itself. */
export const backups = { workers: [startBackups] } satisfies Module
