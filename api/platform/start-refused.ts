/** An error that the operator must fix. The message is one sentence that says what to do. */
export class StartRefused extends Error {}
