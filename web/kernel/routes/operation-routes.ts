import { mails } from '#contract/platform/console-mails.ts'
import { consolePath } from './console-path.ts'
import type { ConsoleEntry } from './route.ts'
import { reads, recordPages } from './staff-page.ts'

/** Console pages about emails, API clients, and the program's health. */
export const operationRoutes = [
  {
    name: 'console.health',
    menu: 'operations',
    path: `${consolePath}/health`,
    ...reads('admin'),
    words: ['console', 'forms', 'console-health'],
    title: 'console.nav.health',
    file: 'console/health/health-page.tsx',
  },
  {
    name: 'console.record',
    menu: 'operations',
    path: `${consolePath}/record`,
    ...reads('admin'),
    words: ['console', 'forms', 'console-record', 'console-health'],
    title: 'console.nav.record',
    file: 'console/record/record-page.tsx',
  },
  {
    name: 'console.apiTokens',
    menu: 'operations',
    path: `${consolePath}/api-tokens`,
    ...reads('any'),
    words: ['console', 'console-tokens', 'forms'],
    title: 'console.nav.apiTokens',
    file: 'console/api-tokens/api-tokens-page.tsx',
  },
  {
    name: 'console.webhooks',
    menu: 'operations',
    path: `${consolePath}/webhooks`,
    ...reads('admin'),
    words: ['console', 'console-webhooks', 'forms'],
    title: 'console.nav.webhooks',
    file: 'console/webhooks/webhooks-page.tsx',
  },
  {
    name: 'console.webhook',
    path: `${consolePath}/webhooks/:id`,
    within: 'console.webhooks',
    ...reads('admin'),
    words: ['console', 'console-webhooks', 'forms'],
    title: 'console.nav.webhook',
    file: 'console/webhooks/webhook-page.tsx',
  },
  {
    name: 'console.mailTemplates',
    menu: 'email',
    path: `${consolePath}/mails/templates`,
    within: 'console.mails',
    ...reads('employee'),
    words: ['console', 'console-mails', 'forms'],
    title: 'console.nav.mailTemplates',
    file: 'console/mails/mail-templates-page.tsx',
  },
  ...recordPages(
    mails,
    {
      name: 'console.mails',
      menu: 'email',
      path: `${consolePath}/mails`,
      words: ['console', 'console-mails', 'forms'],
      title: 'console.nav.mails',
      file: 'console/mails/mails-page.tsx',
    },
    {
      name: 'console.mail',
      title: 'console.nav.mail',
      file: 'console/mails/mail-page.tsx',
      search: {
        hit: ({ to, title }) => ({ title, detail: to }),
        // Emails can be searched only by recipient.
        takes: (words) => words.includes('@'),
      },
    },
  ),
] as const satisfies readonly ConsoleEntry[]
