// Screens are tested with the pages of both programs, as the server knows them, and with all words, facts and the brand.
import '#web/routes/site-pages.ts'
import '#web/routes/console-pages.ts'
import { knowAllContent } from './site-content.ts'

knowAllContent()
