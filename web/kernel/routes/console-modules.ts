import { findIn } from './find-in.ts'
import type { Page } from './page.ts'

export const findPage = findIn(
  import.meta.glob<{ default: Page }>([
    '../../console/**/*-page.tsx',
    '../../sessions/account-recovery/recovery-requests-page.tsx',
  ]),
)
