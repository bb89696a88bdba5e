import { findIn } from './find-in.ts'
import type { Page } from './page.ts'

export const findPage = findIn(
  import.meta.glob<{ default: Page }>([
    '../**/*-page.tsx',
    '!../console/**',
    '!../announcements/newsroom/**',
    '!../kyc/review/**',
    '!../sessions/lost-factors/lost-factors-page.tsx',
  ]),
)
