// Screens are tested with the pages of both programs, like on the server, and with all messages, data files, and the
// brand.
import '#web/kernel/routes/site-pages.ts'
import '#web/kernel/routes/console-pages.ts'
import { frameParts } from '#web/kernel/layout/served/deferred-frame-parts.ts'
import { noticeParts } from '#web/kernel/layout/notices.tsx'
import { homeParts } from '#web/site/home/deferred-home-parts.ts'
import { knowAllContent } from './site-content.ts'

knowAllContent()
// The state from the second page of a visit on.
await Promise.all([frameParts, homeParts, noticeParts].map((parts) => parts.load()))
