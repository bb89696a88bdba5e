// Screens are tested with the pages of both programs, as the server knows them.
import '#web/routes/site-pages.ts'
import '#web/routes/console-pages.ts'
